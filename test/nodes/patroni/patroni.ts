/** Three machines with Patroni, their etcd, and a HAProxy that leads to the primary. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../free-port.ts';
import { type Machine, prepareMachine, processesOf, SUPERUSER, signal } from './machine.ts';

/** What Patroni keeps its lock in: etcd by its API v2, or v3. */
export type Dcs = 'etcd' | 'etcd3';

export interface PatroniOptions {
  readonly strict: boolean;
  readonly dcs: Dcs;
}

export interface Patroni extends AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly folder: string;
  /** Leads to the primary. */
  readonly proxyPort: number;
  leader(): Promise<Machine>;
  /** The one that commits wait for; undefined while there is none. */
  synchronousStandby(): Promise<Machine | undefined>;
  /** Waits until all machines run and one of them is a synchronous standby. */
  untilHealthy(): Promise<void>;
  switchover(from: Machine): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

export async function startPatroni({ strict, dcs }: PatroniOptions): Promise<Patroni> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-patroni-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755);
  // The last resort where this process ends early.
  const sweep = () => {
    signal(processesOf(folder), 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', sweep);
  parts.defer(() => void process.off('exit', sweep));
  const etcdPort = await startEtcd(folder, parts);
  const store = { [dcs]: { host: `127.0.0.1:${etcdPort}` } };
  const machines: Machine[] = [];
  for (const name of ['db1', 'db2', 'db3']) {
    const machine = await prepareMachine({ name, folder, store, strict });
    machine.start();
    parts.defer(() => machine.kill());
    machines.push(machine);
  }
  const proxyPort = await startProxy(folder, machines, parts);

  async function ask(path: string): Promise<Response | undefined> {
    for (const { restPort } of machines) {
      try {
        return await fetch(`http://127.0.0.1:${restPort}${path}`, { signal: AbortSignal.timeout(2_000) });
      } catch {
        // It is away: the next one knows as well.
      }
    }
    return undefined;
  }
  async function members(): Promise<readonly Member[]> {
    const answer = await ask('/cluster');
    const { members = [] } = answer === undefined ? {} : Object(await answer.json().catch(() => ({})));
    return members;
  }
  const find = async (role: string) => {
    const found = (await members()).find((member) => member.role === role);
    return machines.find(({ name }) => name === found?.name);
  };
  const untilHealthy = async () => {
    for (const deadline = Date.now() + 240_000; ; await sleep(1_000)) {
      const states = await members();
      const roles = new Set(states.map(({ role }) => role));
      const run = states.filter(({ state }) => state === 'running' || state === 'streaming');
      if (run.length === machines.length && roles.has('leader') && roles.has('sync_standby')) return;
      if (Date.now() > deadline) throw new Error(`not healthy: ${JSON.stringify(states)}`);
    }
  };
  await untilHealthy();
  const open = parts.move();
  return {
    ...{ machines, folder, proxyPort, untilHealthy },
    async leader() {
      const leader = await find('leader');
      if (leader === undefined) throw new Error('there is no leader');
      return leader;
    },
    synchronousStandby: () => find('sync_standby'),
    async switchover(from) {
      const body = JSON.stringify({ leader: from.name });
      const headers = { 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${from.restPort}/switchover`;
      const answer = await fetch(url, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** An empty database, by way of the proxy. */
export async function createDatabase(proxyPort: number, name: string): Promise<void> {
  const { username: user, password } = SUPERUSER;
  for (const deadline = Date.now() + 60_000; ; await sleep(500)) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: proxyPort,
      user,
      password,
      database: 'postgres',
    });
    try {
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function startEtcd(folder: string, parts: AsyncDisposableStack): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [own, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  run(
    'etcd',
    [
      ...['--name', 'etcd', '--data-dir', join(folder, 'etcd'), '--enable-v2', '--unsafe-no-fsync'],
      ...['--listen-client-urls', own, '--advertise-client-urls', own],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `etcd=${peer}`],
    ],
    parts,
  );
  for (let i = 0; ; i++) {
    if (
      await fetch(`${own}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return port;
    if (i > 300) throw new Error('etcd does not start');
    await sleep(100);
  }
}

/** As Patroni's documentation has it. */
async function startProxy(
  folder: string,
  machines: readonly Machine[],
  parts: AsyncDisposableStack,
): Promise<number> {
  const port = await freePort();
  const servers = machines.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  );
  const file = join(folder, 'haproxy.cfg');
  const config = `
defaults
  mode tcp
  timeout client 30m
  timeout server 30m
  timeout connect 4s
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  await writeFile(file, config);
  run('haproxy', ['-db', '-f', file], parts);
  return port;
}

function run(program: string, args: readonly string[], parts: AsyncDisposableStack): void {
  const started: ChildProcess = spawn(program, args, { stdio: 'ignore' });
  started.once('error', (error) => {
    throw error;
  });
  parts.defer(() => void started.kill('SIGKILL'));
}
