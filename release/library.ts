/** Before `npm pack` in client/ or component/: makes the dist/ of that package, and for the client its skills/. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const run = (program: string, ...options: readonly string[]) =>
  execFileSync(process.execPath, [join(import.meta.dirname, program), ...options], { stdio: 'inherit' });
const compile = (...options: readonly string[]) =>
  run('../node_modules/typescript/bin/tsc', '--noEmit', 'false', ...options);

rmSync('dist', { recursive: true, force: true });
compile('--emitDeclarationOnly');
// Comments go into the types, where editors show them, and not into the code a second time.
if (basename(process.cwd()) === 'component') run('bundle.ts', 'dist');
else {
  compile('--removeComments', '--declaration', 'false');
  rmSync('skills', { recursive: true, force: true });
  cpSync(join(import.meta.dirname, '../docs/skills'), 'skills', { recursive: true });
}
