import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { writeStamp } from '../../src/portal/build-stamp.ts';

/** Writes into every build which sources it was made from. */
export function stampBuild(): Plugin {
  let stamp = async () => {};
  return {
    name: 'stamp-build',
    apply: 'build',
    configResolved: ({ root, build }) => {
      stamp = () => writeStamp(root, resolve(root, build.outDir));
    },
    closeBundle: () => stamp(),
  };
}
