/** A machine of the cluster: Patroni with its PostgreSQL, as processes that can be stopped and killed together. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';

/** Where Debian has the server's programs. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';

export const SUPERUSER = { username: 'postgres', password: 'patroni-test' };
const REPLICATION = { username: 'replicator', password: 'patroni-test' };

export interface MachineOptions {
  readonly name: string;
  readonly folder: string;
  /** The part of Patroni's configuration about etcd. */
  readonly store: object;
  readonly strict: boolean;
}

export interface Machine {
  readonly name: string;
  /** Of PostgreSQL. */
  readonly port: number;
  /** Of Patroni's REST API. */
  readonly restPort: number;
  start(): void;
  kill(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
}

export async function prepareMachine({ name, folder, store, strict }: MachineOptions): Promise<Machine> {
  const [port, restPort] = [await freePort(), await freePort()];
  const home = join(folder, name);
  const dataDir = join(home, 'data');
  await mkdir(home);
  const user = idsOf('postgres');
  await chown(home, user.uid, user.gid);
  const file = join(home, 'patroni.yml');
  const config = {
    ...{ scope: 'countersign', name, ...store },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 4, retry_timeout: 4, maximum_lag_on_failover: 1_048_576 },
        ...{ synchronous_mode: true, synchronous_mode_strict: strict },
        // The machine outlives the run, so what the kernel has is as good as written.
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { fsync: 'off', max_connections: 300 },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
      ...{ data_dir: dataDir, bin_dir: PROGRAMS, pgpass: join(home, 'pgpass') },
      authentication: { superuser: SUPERUSER, replication: REPLICATION },
      parameters: { unix_socket_directories: home },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    watchdog: { mode: 'off' },
  };
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  let patroni: ChildProcess | undefined;
  let paused: readonly number[] = [];

  /** Patroni, PostgreSQL and all processes that it started; the parents first. */
  async function processes(): Promise<number[]> {
    const [first = ''] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    );
    const parents = [patroni?.pid, Number(first)].filter((pid) => pid !== undefined && pid > 0);
    return descendants(parents.filter((pid) => pid !== undefined));
  }

  return {
    name,
    port,
    restPort,
    start() {
      const log = createWriteStream(join(home, 'log'), { flags: 'a' });
      patroni = spawn('patroni', [file], { ...user, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
      patroni.stdout?.pipe(log, { end: false });
      patroni.stderr?.pipe(log, { end: false });
    },
    async kill() {
      const pids = await processes();
      signal(pids, 'SIGSTOP');
      signal(await processes(), 'SIGKILL');
      signal(pids, 'SIGKILL');
    },
    async pause() {
      signal(await processes(), 'SIGSTOP');
      paused = await processes();
      signal(paused, 'SIGSTOP');
    },
    resume() {
      signal(paused, 'SIGCONT');
      paused = [];
    },
  };
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended in the meantime.
    }
  }
}

/** All that this process started, and what has a file in the folder: the server leaves Patroni's family. */
export function processesOf(folder: string): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const own = lines.filter((line) => line.includes(folder)).map((line) => Number.parseInt(line, 10));
  return descendants([process.pid, ...own]).filter((pid) => pid !== process.pid);
}

function descendants(parents: readonly number[]): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set(parents);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [pid = 0, parent = 0] of all) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

export function idsOf(name: string): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
