/** examples/hono as a separate process, with the packages as an install would put them there. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../deploy/project.ts';
import { freePort } from '../../free-port.ts';
import type { Service } from '../../service.ts';

const EXAMPLE = join(ROOT, 'examples/hono');
/** Folders of ours, and under which names their packages are installed. */
const LIBRARIES = { client: 'client', component: 'verify-element' } as const;

/** Returns its address, and what ends it. */
export async function startExample(
  service: Service,
  apiKey: string,
): Promise<{ readonly origin: string; end(): Promise<void> }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-example-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    install(folder);
    writeFileSync(join(folder, 'ca.pem'), service.ca);
    const { origin, end } = await run(folder, {
      COUNTERSIGN_API_KEY: apiKey,
      COUNTERSIGN_URL: service.baseUrl,
    });
    return { origin, end: () => end().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function install(folder: string): void {
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@hono'), { recursive: true });
  for (const name of ['hono', '@hono/node-server'])
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const [from, to] of Object.entries(LIBRARIES)) {
    const installed = join(packages, '@countersign', to);
    // Not into its own dist, which another test may be packing.
    const options = [
      '--noEmit',
      'false',
      '--noCheck',
      '--declaration',
      'false',
      '--outDir',
      join(installed, 'dist'),
    ];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', join(ROOT, from), ...options]);
    cpSync(join(ROOT, from, 'package.json'), join(installed, 'package.json'));
  }
}

async function run(folder: string, env: Readonly<Record<string, string>>) {
  const port = String(await freePort());
  const app = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => app.kill());
  const ended = once(app, 'exit');
  const [line] = await Promise.race([once(createInterface(app.stdout), 'line'), ended.then(() => ['ended'])]);
  const [, origin] = /^Open (http:\S+)$/.exec(String(line)) ?? [];
  if (origin === undefined) throw new Error(`the example did not start: ${line}`);
  const end = async () => {
    app.kill();
    await ended;
  };
  return { origin, end };
}
