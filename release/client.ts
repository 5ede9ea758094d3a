/**
 * Before `npm pack` in client/: compiles into client/dist/ what that package runs. Whoever gets it must get the license
 * too, of which the checkout keeps one.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'client');

rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '--project', CLIENT, '--noEmit', 'false'], { stdio: 'inherit' });
copyFileSync(join(ROOT, 'LICENSE'), join(CLIENT, 'LICENSE'));
