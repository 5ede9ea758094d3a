/** After an install: builds the front end into dist/, once, and again when something it is made of has changed. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const folder = import.meta.dirname;
const page = join(folder, 'dist/index.html');
const SOURCES = [
  'src',
  'public',
  'vite',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../package-lock.json',
];

/** The youngest change to a file, or to any file in a folder, in ms. */
async function changedAt(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const within = await Promise.all((await readdir(path)).map((name) => changedAt(join(path, name))));
  return Math.max(found.mtimeMs, ...within);
}

async function isUpToDate(): Promise<boolean> {
  if (!existsSync(page)) return false;
  const sources = SOURCES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const changes = await Promise.all(sources.map(changedAt));
  return (await stat(page)).mtimeMs > Math.max(...changes);
}

const vite = await import('vite').catch((error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
  throw error;
});
if (vite === undefined) {
  const found = existsSync(page) ? 'left as it is' : 'not built';
  console.log(`portal: ${found}, because vite is not installed (an install without development packages)`);
} else if (await isUpToDate()) {
  console.log('portal: portal/dist is up to date');
} else {
  await vite.build({ root: folder, logLevel: 'warn' });
}
