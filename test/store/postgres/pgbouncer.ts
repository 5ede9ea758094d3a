/** A real PgBouncer before a server, where the machine has one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, isListening } from '../../free-port.ts';

export interface PgBouncer extends AsyncDisposable {
  /** The URL of a database of the server, by way of the pooler. */
  through(database: string): string;
}

/** Undefined where there is none. `size` is the number of connections to each database; `hosts` stand in place of the server's. */
export async function startPgBouncer(
  server: string,
  {
    mode,
    size,
    hosts,
  }: { readonly mode: 'session' | 'transaction'; readonly size: number; readonly hosts?: readonly string[] },
): Promise<PgBouncer | undefined> {
  const target = new URL(server);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const login = `user=${target.username} password=${decodeURIComponent(target.password)}`;
  const settings = `[databases]
* = host=${hosts?.join(',') ?? target.hostname} port=${target.port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 1000
server_idle_timeout = 1
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
  return {
    through(database) {
      const url = new URL(database);
      url.port = String(port);
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      pooler.kill('SIGKILL');
      await ended;
      await removeFolder();
    },
  };
}
