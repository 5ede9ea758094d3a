import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** How long a page that is open during an upgrade finds the rest of its build. */
const KEPT_MS = 86_400_000;
const ASSETS = 'assets';
const PACKED = /\.(br|gz)$/;

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/**
 * Keeps the files of earlier builds, and deletes those that were replaced more than a day ago. The time of a file says since
 * when no build has needed it: each build sets it for the files of the build that it replaces.
 */
export function keepEarlierBuilds(): Plugin {
  let folder = '';
  let before: ReadonlySet<string> = new Set();
  return {
    name: 'earlier-builds',
    apply: 'build',
    config: () => ({ build: { emptyOutDir: false } }),
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    // Before the new manifest takes its place.
    async buildStart() {
      before = await filesOfBuild(folder);
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const current = await filesOfBuild(folder);
        const now = Date.now();
        for (const name of await namesOfAssets(folder)) {
          const of = `${ASSETS}/${name.replace(PACKED, '')}`;
          const path = join(folder, ASSETS, name);
          if (current.has(of)) continue;
          if (before.has(of)) await utimes(path, now / 1000, now / 1000);
          else if (now - (await stat(path)).mtimeMs > KEPT_MS) await rm(path);
        }
      },
    },
  };
}

/** The files that the manifest names; none if nothing was built. */
async function filesOfBuild(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, '.vite/manifest.json'), 'utf8').catch(absent);
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(text ?? '{}');
  return new Set(
    Object.values(chunks).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]),
  );
}

const namesOfAssets = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, ASSETS)).catch(absent)) ?? [];

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
