import type { Plugin } from 'vite';
import { writeStamp } from '../../src/portal/build-stamp.ts';

/** Says in every build which sources it is of, whoever asked for it. */
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
