/** A separate installation, so that a test can change its front end. */
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('../../../', import.meta.url));

export interface Installation {
  readonly folder: string;
  readonly assets: string;
  /** Like a new image: the same pages under other names, without the earlier names. */
  replaceBuild(): Promise<void>;
}

/** Removed after the tests of the file. */
export async function copyInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'));
  after(() => rm(folder, { recursive: true }));
  for (const part of ['bin', 'src', 'package.json', 'portal/dist']) {
    await cp(join(HERE, part), join(folder, part), { recursive: true });
  }
  await symlink(join(HERE, 'node_modules'), join(folder, 'node_modules'));
  const assets = join(folder, 'portal/dist/assets');
  const page = join(folder, 'portal/dist/index.html');
  return { folder, assets, replaceBuild: () => replaceBuild(assets, page) };
}

async function replaceBuild(assets: string, page: string): Promise<void> {
  const mark = Date.now().toString(36);
  const all = await readdir(assets);
  const plain = all.filter((name) => !/\.(br|gz)$/.test(name));
  for (const name of all) if (!plain.includes(name)) await rm(join(assets, name));
  const renamed = (name: string) => name.replace(/\.(\w+)$/, `${mark}.$1`);
  for (const path of [page, ...plain.map((name) => join(assets, name))]) {
    if (!/\.(js|css|html)$/.test(path)) continue;
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      plain.reduce((so, name) => so.replaceAll(name, renamed(name)), text),
    );
  }
  for (const name of plain) await rename(join(assets, name), join(assets, renamed(name)));
  for (const suffix of ['br', 'gz']) await rm(`${page}.${suffix}`, { force: true });
}
