/** Which files of the project a process loads that does nothing but import these. All are named from the project's root. */
import { spawnSync } from 'node:child_process';

const ROOT = new URL('../', import.meta.url).href;

export function filesLoadedBy(...paths: readonly string[]): string[] {
  const imports = paths.map((path) => `await import(${JSON.stringify(ROOT + path)});`);
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    ${imports.join('\n')}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((url) => url.startsWith(ROOT))
    .map((url) => url.slice(ROOT.length));
}
