import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './vite/budget.ts';
import { precompress } from './vite/precompress.ts';
import { themeCss } from './vite/theme-css.ts';

export default defineConfig({
  base: '/portal/',
  plugins: [react(), themeCss(), precompress(), budget()],
  build: {
    manifest: true,
    // The policy allows no data: fonts or styles, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/portal/api', '/verify', '/confirm'].map((path) => [path, 'http://127.0.0.1:5174']),
    ),
  },
});
