/**
 * Before `npm pack` in client/ or component/: compiles into dist/ what that package runs. Comments go into the types, where
 * editors show them, and not into the code a second time.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

rmSync('dist', { recursive: true, force: true });
const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
for (const options of [['--emitDeclarationOnly'], ['--removeComments', '--declaration', 'false']])
  execFileSync(process.execPath, [compiler, '--noEmit', 'false', ...options], { stdio: 'inherit' });
