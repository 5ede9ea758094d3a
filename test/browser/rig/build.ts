/** A copy of the portal's build for a service of its own, so that a test can change it. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The module that looks for the build, from where it is itself. */
const PORTAL = 'src/portal/index.ts';

export interface Build {
  readonly assets: string;
  /** What a service that shows this build is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Like a new image: the same pages under other names, without the earlier names. */
  replace(): Promise<void>;
}

/** Removed after the tests of the file. */
export async function copyBuild(): Promise<Build> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'));
  after(() => rm(folder, { recursive: true }));
  await cp(join(ROOT, 'portal/dist'), join(folder, 'portal/dist'), { recursive: true });
  const copied = join(folder, PORTAL);
  await mkdir(dirname(copied), { recursive: true });
  await cp(join(ROOT, PORTAL), copied);
  const redirect = join(folder, 'redirect.mjs');
  await writeFile(redirect, redirectTo(copied));
  const assets = join(folder, 'portal/dist/assets');
  const page = join(folder, 'portal/dist/index.html');
  return {
    assets,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(redirect)}` },
    replace: () => replaceBuild(assets, page),
  };
}

/** Only this one module is read from the copy, and finds the build there: all others are compiled already where they are. */
const redirectTo = (copied: string): string => `
  import { registerHooks } from 'node:module';
  const [from, to] = ${JSON.stringify([join(ROOT, PORTAL), copied].map((path) => pathToFileURL(path).href))};
  registerHooks({
    resolve(name, { parentURL, ...context }, next) {
      const { url, ...resolved } = next(name, { ...context, parentURL: parentURL === to ? from : parentURL });
      return { ...resolved, url: url === from ? to : url };
    },
  });
`;

async function replaceBuild(assets: string, page: string): Promise<void> {
  const mark = Date.now().toString(36);
  const all = await readdir(assets);
  const plain = all.filter((name) => !/\.(br|gz)$/.test(name));
  for (const name of all) if (!plain.includes(name)) await rm(join(assets, name));
  const renamed = (name: string) => name.replace(/\.(\w+)$/, `${mark}.$1`);
  const names = new Set(plain);
  for (const path of [page, ...plain.map((name) => join(assets, name))]) {
    if (!/\.(js|css|html)$/.test(path)) continue;
    const text = await readFile(path, 'utf8');
    // Word by word: there are too many names to look for each.
    await writeFile(
      path,
      text.replace(/[\w-]+\.\w+/g, (word) => (names.has(word) ? renamed(word) : word)),
    );
  }
  for (const name of plain) await rename(join(assets, name), join(assets, renamed(name)));
  for (const suffix of ['br', 'gz']) await rm(`${page}.${suffix}`, { force: true });
}
