/** Which files of the project a process loads. All are named from the project's root. */
import { spawnSync } from 'node:child_process';

const ROOT = new URL('../', import.meta.url).href;

/** A module that says which files its thread loads from then on, a line for each. Threads that it starts inherit it as `--import`. */
export const WATCH_LOADING = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const root = ${JSON.stringify(ROOT)};
  registerHooks({
    load(url, context, next) {
      if (url.startsWith(root)) writeSync(1, 'loaded ' + url.slice(root.length) + '\\n');
      return next(url, context);
    },
  });`;

/** By a process that does nothing but import these. */
export function filesLoadedBy(...paths: readonly string[]): string[] {
  const imports = paths.map((path) => `await import(${JSON.stringify(ROOT + path)});`);
  const script = `${WATCH_LOADING}\n${imports.join('\n')}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return Array.from(stdout.matchAll(/^loaded (\S+)$/gm), ([, path = '']) => path);
}
