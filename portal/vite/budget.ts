import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

interface FirstPage {
  /** Source of the route that needs the most script. */
  readonly route: string;
  /** All of its script, gzip: what every page needs and what this one adds. */
  readonly bytes: number;
}

/** Prints after a build how much script the heaviest page needs if it is opened first. */
export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (dir === undefined) return;
        const { route, bytes } = await heaviestFirstPage(dir);
        console.log(
          `portal: ${Math.ceil(bytes / 1024)} KB of script (gzip) on the heaviest first page, ${route}`,
        );
      },
    },
  };
}

/** Reads the manifest and the `.gz` files of a build in `dir`. */
export async function heaviestFirstPage(dir: string): Promise<FirstPage> {
  const manifest: Manifest = JSON.parse(await readFile(join(dir, '.vite/manifest.json'), 'utf8'));
  const names = Object.keys(manifest);
  const entry = names.find((name) => manifest[name]?.isEntry) ?? '';
  const pages = await Promise.all(
    names
      .filter((name) => manifest[name]?.isDynamicEntry)
      .map(async (route) => ({ route, bytes: await sizeOf(dir, needs(manifest, [entry, route])) })),
  );
  return pages.reduce((heaviest, page) => (page.bytes > heaviest.bytes ? page : heaviest), {
    route: entry,
    bytes: await sizeOf(dir, needs(manifest, [entry])),
  });
}

function needs(manifest: Manifest, names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (chunk === undefined || found.has(chunk.file)) continue;
    found.add(chunk.file);
    needs(manifest, chunk.imports ?? [], found);
  }
  return found;
}

async function sizeOf(dir: string, files: ReadonlySet<string>): Promise<number> {
  const sizes = await Promise.all([...files].map(async (file) => (await stat(join(dir, `${file}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
