import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|html)$/;

/** Writes `.br` and `.gz` beside each file, so that the service only has to read them. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const names = await readdir(dir, { recursive: true });
      const paths = names.filter((name) => COMPRESSIBLE.test(name)).map((name) => join(dir, name));
      await Promise.all(paths.map(async (path) => (await isCompressed(path)) || compress(path)));
    },
  };
}

/** Files of an earlier build are. */
async function isCompressed(path: string): Promise<boolean> {
  const [plain, packed] = await Promise.all(
    [path, `${path}.br`].map((each) => stat(each).catch(() => undefined)),
  );
  return plain !== undefined && packed !== undefined && packed.mtimeMs >= plain.mtimeMs;
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  await Promise.all([
    promisify(brotliCompress)(content).then((small) => writeFile(`${path}.br`, small)),
    promisify(gzip)(content, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ]);
}
