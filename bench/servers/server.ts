/** The servers under test, each in its own process: the service as users run it, and those it is compared with. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Target } from '../connection.ts';
import { type Phones, PREFIXES } from '../peers/phones.ts';
import { type Checkout, HERE, startArguments } from './checkout.ts';
import { readMemory } from './process-usage.ts';
import type { Workplace } from './workplace.ts';

export interface Server {
  readonly pid: number;
  readonly target: Target;
  /** From the start of the process to the first 200 from `/readyz`. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** As set by the systemd unit and the image. */
const ARENAS = { MALLOC_ARENA_MAX: '1' };
const BASELINES = {
  bare: fileURLToPath(new URL('./bare-server.ts', import.meta.url)),
  hollow: fileURLToPath(new URL('./hollow-service.ts', import.meta.url)),
};
const START_DEADLINE_MS = 30_000;

/**
 * Runs `serve` on a data folder; `config` overrides the common settings. Each carrier has the numbers of its prefix;
 * there is no limit per key.
 */
export async function startService(
  place: Workplace,
  phones: Phones,
  folder: string,
  config: object = {},
  moreEnv: Readonly<Record<string, string>> = {},
  checkout = HERE,
): Promise<Server & { readonly folder: string }> {
  const port = await freePort();
  const configFile = join(folder, 'countersign.yaml');
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify({ ...configuration(phones), ...config }));
  const env = {
    COUNTERSIGN_CONFIG: configFile,
    COUNTERSIGN_DATA_DIR: folder,
    COUNTERSIGN_PORT: String(port),
  };
  const key = await makeKey(folder, 'default', checkout);
  const launched = await launch(
    place,
    checkout,
    startArguments(checkout),
    { ...env, ...moreEnv },
    { folder, port },
  );
  const ca = readFileSync(join(folder, 'tls-cert.pem'), 'utf8');
  return { ...launched, folder, target: { port, ca, key } };
}

/** Makes a key for an account, and the account if it is new. */
export async function makeKey(folder: string, account: string, checkout = HERE): Promise<string> {
  const env = { COUNTERSIGN_CONFIG: join(folder, 'countersign.yaml'), COUNTERSIGN_DATA_DIR: folder };
  const cli = join(checkout.root, 'bin/countersign.js');
  // Revisions from before the option made a new folder unasked.
  const init = existsSync(join(checkout.root, 'src/guard')) ? ['--init', '--account', account] : [];
  const create = ['keys', 'create', ...init, '--name', 'bench'];
  const { stdout } = await promisify(execFile)(checkout.node, [cli, ...create], { env });
  return stdout.trim();
}

export interface Start extends Pick<Server, 'readyMs'> {
  /** Megabytes, once it is ready. */
  readonly resident: number;
}

/** Starts the service with all defaults, and says what that took. */
export async function timeStart(place: Workplace, folder: string, checkout = HERE): Promise<Start> {
  const port = await freePort();
  const configFile = join(folder, 'countersign.yaml');
  writeFileSync(configFile, '{}');
  const env = {
    COUNTERSIGN_CONFIG: configFile,
    COUNTERSIGN_DATA_DIR: folder,
    COUNTERSIGN_PORT: String(port),
  };
  const { pid, readyMs, stop } = await launch(place, checkout, startArguments(checkout), env, {
    folder,
    port,
  });
  const resident = readMemory(pid).now;
  await stop();
  return { readyMs, resident };
}

/** Starts one of the servers that the service is compared with, with the service's certificate and key. */
export async function startBaseline(
  place: Workplace,
  { folder, target }: Server & { readonly folder: string },
  kind: keyof typeof BASELINES,
): Promise<Server> {
  const port = await freePort();
  const flags = startArguments(HERE).filter((word: string) => word.startsWith('--'));
  const files = [join(folder, 'tls-cert.pem'), join(folder, 'tls-key.pem')];
  const launched = await launch(
    place,
    HERE,
    [...flags, BASELINES[kind], String(port), ...files],
    {},
    { folder, port },
  );
  return { ...launched, target: { ...target, port } };
}

/** Of every service here. */
export function configuration({ gatewayPort, smscPort }: Phones) {
  return {
    limits: { requestsPerKey: [] },
    // Nobody here confirms as people do: everything is judged and recorded, and sent.
    guard: { mode: 'observe' },
    // The oldest verifications of the filled store must not become due for deletion during the measurement.
    retention: { verifications: '60d' },
    carriers: {
      gateway: {
        type: 'http',
        url: `http://127.0.0.1:${gatewayPort}/sms`,
        json: { to: '{{to}}', text: '{{text}}', code: '{{code}}' },
        reference: 'id',
      },
      smsc: {
        type: 'smpp',
        host: '127.0.0.1',
        port: smscPort,
        systemId: 'bench',
        password: 'bench',
        source: 'Acme',
        links: 2,
        window: 50,
      },
    },
    routes: Object.entries(PREFIXES).map(([carrier, prefix]) => ({
      channel: 'sms',
      prefixes: [prefix],
      carriers: [carrier],
    })),
  };
}

async function launch(
  place: Workplace,
  { node }: Checkout,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<Omit<Server, 'target'>> {
  const log = join(folder, 'server.log');
  const started = performance.now();
  const child = place.spawn(args, { ...ARENAS, ...env }, log, node);
  while (!(await isReady(port))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() - started > START_DEADLINE_MS) {
      throw new Error(`the server did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await sleep(2);
  }
  const readyMs = performance.now() - started;
  return { pid: child.pid ?? 0, readyMs, stop: () => place.end(child) };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // The certificate is being made right now, so it is not known yet.
    const options = { port, path: '/readyz', agent: false, rejectUnauthorized: false };
    get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
