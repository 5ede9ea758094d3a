/** A real PgBouncer before a database, pooling sessions, where the machine has one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, isListening } from '../../free-port.ts';

export interface PgBouncer extends AsyncDisposable {
  /** The database's URL, by way of the pooler. */
  readonly url: string;
}

/** Undefined where there is none. */
export async function startPgBouncer(database: string): Promise<PgBouncer | undefined> {
  const target = new URL(database);
  const name = target.pathname.slice(1);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const login = `user=${target.username} password=${decodeURIComponent(target.password)}`;
  const settings = `[databases]
${name} = host=${target.hostname} port=${target.port || 5432} dbname=${name} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 30
`;
  await writeFile(file, settings);
  // It refuses to run as root, and becomes a user who must be able to read this.
  await chmod(folder, 0o755);
  const asUser = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn('pgbouncer', ['-q', ...asUser, file], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const exists = await Promise.race([
    once(pooler, 'spawn').then(() => true),
    once(pooler, 'error').then(() => false),
  ]).catch(() => false);
  if (!exists) {
    await removeFolder();
    return undefined;
  }
  const ended = once(pooler, 'exit');
  while (pooler.exitCode === null && !(await isListening(port))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`);
  target.port = String(port);
  return {
    url: target.href,
    async [Symbol.asyncDispose]() {
      pooler.kill('SIGKILL');
      await ended;
      await removeFolder();
    },
  };
}
