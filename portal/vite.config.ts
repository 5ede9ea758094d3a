import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './vite/budget.ts';
import { keepEarlierBuilds } from './vite/earlier-builds.ts';
import { precompress } from './vite/precompress.ts';
import { stampBuild } from './vite/stamp-build.ts';
import { themeCss } from './vite/theme-css.ts';

export default defineConfig({
  base: '/portal/',
  plugins: [react(), themeCss(), precompress(), keepEarlierBuilds(), budget(), stampBuild()],
  build: {
    manifest: true,
    // The policy allows no data: fonts or styles, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // On a slow machine it would warn of the time that compressing takes.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
