import type { Plugin } from 'vite';
import { writeStamp } from '../../src/portal/build-stamp.ts';

/** Writes into every build which sources it was made from. */
export function stampBuild(): Plugin {
  let root = '';
  return {
    name: 'stamp-build',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    closeBundle: () => writeStamp(root),
  };
}
