/** Tells whether portal/dist is missing or was built from other sources. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `unknown`: the sources are not here, as in an image, which has only the build. */
export type BuildState = 'current' | 'missing' | 'stale' | 'unknown';

const BUILD = 'dist';
const STAMP = 'built-from.txt';
export const SOURCES = [
  'src',
  'public',
  'vite',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../package-lock.json',
  '../src/portal/channel.ts',
  '../src/core/accounts/audit-action.ts',
  '../src/core/accounts/role.ts',
  '../src/core/countries',
  '../src/core/destination/channel.ts',
  '../src/core/destination/counted-as.ts',
  '../src/core/destination/plain-number.ts',
  '../src/core/events/event.ts',
  '../src/core/guarding/guard-mode.ts',
  '../src/core/guarding/verdict.ts',
  '../src/core/message/locales/countries.ts',
  '../src/core/seams/spans.ts',
  '../src/core/sending/taken-back.ts',
  '../src/core/text/ascii-digits.ts',
  '../src/core/text/unseen.ts',
  '../src/core/verification/account-limits.ts',
  '../src/core/verification/limits.ts',
];
const TEST = /\.test\.tsx?$/;

/** Writes into a build a hash of its sources; `folder` is the portal's. */
export async function writeStamp(folder: string, build = join(folder, BUILD)): Promise<void> {
  await writeFile(join(build, STAMP), `${await hashSources(folder)}\n`);
}

export async function findBuildState(folder: string): Promise<BuildState> {
  if (!existsSync(join(folder, BUILD, 'index.html'))) return 'missing';
  if (!existsSync(join(folder, 'src'))) return 'unknown';
  const stamp = await readFile(join(folder, BUILD, STAMP), 'utf8').catch(() => '');
  return stamp.trim() === (await hashSources(folder)) ? 'current' : 'stale';
}

/** By content, not by time: a checkout of another version may have files with older times. */
async function hashSources(folder: string): Promise<string> {
  const files = (await Promise.all(SOURCES.map((name) => listFiles(folder, name)))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(await readFile(join(folder, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The file, or all files of the folder, by paths with slashes; empty if there is none. */
async function listFiles(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return undefined;
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  if (entries === undefined) return TEST.test(name) ? [] : [name];
  return (await Promise.all(entries.map((entry) => listFiles(folder, `${name}/${entry.name}`)))).flat();
}
