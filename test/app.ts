/** An application of somebody who uses the service: in a folder of its own, with the packages as an install would put them there. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './deploy/project.ts';
import { freePort } from './free-port.ts';

/** Folders of ours, and under which names their packages are installed. */
const LIBRARIES = { client: 'client', component: 'verify-element' } as const;

/** Where they are, compiled: once for all folders of a process. */
let compiled: string | undefined;

/** Returns an empty folder with these packages and our own, and what removes it. */
export function createAppFolder(packages: readonly string[]) {
  const { folder, remove } = createFolder();
  const link = (from: string, name: string) => {
    const to = join(folder, 'node_modules', name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  };
  for (const name of packages) link(join(ROOT, 'node_modules', name), name);
  compiled ??= compile();
  for (const name of Object.values(LIBRARIES)) link(join(compiled, name), `@countersign/${name}`);
  return { folder, remove };
}

function createFolder() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-app-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { folder, remove };
}

/** Not into each library's own dist, which another test may be packing. */
function compile(): string {
  const { folder } = createFolder();
  const dist = (name: string) => join(folder, name, 'dist');
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', 'false', '--noCheck', '--declaration', 'false'];
  const target = ['-p', join(ROOT, 'client'), '--outDir', dist(LIBRARIES.client)];
  execFileSync(process.execPath, [compiler, ...target, ...options]);
  const bundle = join(ROOT, 'release/bundle.ts');
  execFileSync(process.execPath, [bundle, dist(LIBRARIES.component)]);
  for (const [from, name] of Object.entries(LIBRARIES))
    cpSync(join(ROOT, from, 'package.json'), join(folder, name, 'package.json'));
  return folder;
}

export interface App {
  readonly origin: string;
  end(): Promise<void>;
}

/** Runs a program of the folder, which must say where it is: `Open http://...`. It trusts the certificate `ca` (PEM). */
export async function startApp(
  folder: string,
  program: string,
  ca: string,
  env: Readonly<Record<string, string>>,
): Promise<App> {
  const port = String(await freePort());
  writeFileSync(join(folder, 'ca.pem'), ca);
  const app = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => app.kill());
  const ended = once(app, 'exit');
  const [line] = await Promise.race([once(createInterface(app.stdout), 'line'), ended.then(() => ['ended'])]);
  const [, origin] = /^Open (http:\S+)$/.exec(String(line)) ?? [];
  const end = async () => {
    app.kill();
    await ended;
  };
  if (origin === undefined) {
    await end();
    throw new Error(`${program} did not start: ${line}`);
  }
  return { origin, end };
}
