/** After an install: builds the front end into dist/, once, and again when something it is made of has changed. */
import type { Plugin } from 'vite';
import { withProgress } from '../src/cli/progress.ts';
import type { ReportProgress } from '../src/core/reporting/progress.ts';
import { type BuildState, findBuildState } from '../src/portal/build-stamp.ts';

const folder = import.meta.dirname;

const WITHOUT_VITE: Readonly<Record<BuildState, string>> = {
  current: 'portal/dist is up to date',
  unknown: 'portal/dist is left as it came',
  missing:
    'NOT BUILT, because vite is not installed; `npm ci && npm prune --omit=dev --workspaces=false --no-save` builds it',
  stale:
    'OUT OF DATE: portal/dist was built from other sources, and vite is not installed; `npm ci && npm prune --omit=dev --workspaces=false --no-save` builds it',
};

const vite = await import('vite').catch((error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
  throw error;
});
const state = await findBuildState(folder);
if (vite === undefined || state === 'current') console.log(`portal: ${WITHOUT_VITE[state]}`);
else
  await withProgress((report) =>
    vite.build({ root: folder, logLevel: 'warn', plugins: [watchModules(report)] }),
  );

/** Nobody knows how many modules there are until the last one is read. */
function watchModules(report: ReportProgress): Plugin {
  let done = 0;
  return {
    name: 'countersign-progress',
    moduleParsed: () => report({ step: 'building the portal, modules read', done: ++done }),
    renderStart: () => report({ step: 'building the portal: writing' }),
  };
}
