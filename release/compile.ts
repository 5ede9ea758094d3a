/**
 * Before `npm pack`: compiles into dist/ what the package runs. Node strips no types from files below node_modules; from a
 * checkout the service runs its TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '--project', 'release'], { cwd: ROOT, stdio: 'inherit' });
// What is read as it is, by the stores and by browsers.
for (const file of globSync(['src/**/*.sql', 'src/http/reference/browser/**/*.*'], { cwd: ROOT }))
  cpSync(join(ROOT, file), join(DIST, file));
