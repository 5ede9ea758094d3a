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
const LIBRARIES = { client: 'client', component: 'verify-element' } as const;

/** Returns its address, and what ends it. */
export async function startExample(
  service: Service,
  apiKey: string,
): Promise<{ readonly origin: string; end(): Promise<void> }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-example-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@hono'), { recursive: true });
  for (const name of ['hono', '@hono/node-server'])
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const [from, to] of Object.entries(LIBRARIES)) {
    const installed = join(packages, '@countersign', to);
    // Not into its own dist, which another test may be packing.
    const options = ['--noEmit', 'false', '--declaration', 'false', '--outDir', join(installed, 'dist')];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', join(ROOT, from), ...options]);
    cpSync(join(ROOT, from, 'package.json'), join(installed, 'package.json'));
  }
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, service.ca);
  const port = String(await freePort());
  const app = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: {
      COUNTERSIGN_API_KEY: apiKey,
      COUNTERSIGN_URL: service.baseUrl,
      NODE_EXTRA_CA_CERTS: ca,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => app.kill());
  const ended = once(app, 'exit');
  const [line] = await Promise.race([once(createInterface(app.stdout), 'line'), ended.then(() => ['ended'])]);
  const [, origin] = /^Open (http:\S+)$/.exec(String(line)) ?? [];
  if (origin === undefined) throw new Error(`the example did not start: ${line}`);
  return {
    origin,
    async end() {
      app.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
