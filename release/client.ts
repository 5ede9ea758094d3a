/**
 * Before `npm pack` in client/: compiles into client/dist/ what that package runs. Comments go into the types, where editors
 * show them, and not into the code a second time.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'client');

rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
for (const options of [['--emitDeclarationOnly'], ['--removeComments', '--declaration', 'false']]) {
  const args = [compiler, '--project', CLIENT, '--noEmit', 'false', ...options];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}
