/** A pgpool-II before HAProxy, as a pooler only: HAProxy follows the primary. */
import { spawn } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from '../../free-port.ts';
import { idsOf } from './machine.ts';
import type { Patroni } from './patroni.ts';

/** Answers its port. */
export async function startPgpool(
  { proxyPort, folder }: Patroni,
  parts: AsyncDisposableStack,
): Promise<number> {
  const [port, controlPort] = [await freePort(), await freePort()];
  const home = join(folder, 'pgpool');
  await mkdir(home);
  const user = idsOf('postgres');
  await chown(home, user.uid, user.gid);
  const settings = `
listen_addresses = '127.0.0.1'
port = ${port}
pcp_port = ${controlPort}
socket_dir = '${home}'
pcp_socket_dir = '${home}'
pid_file_name = '${home}/pid'
logdir = '${home}'
work_dir = '${home}'
backend_clustering_mode = 'raw'
backend_hostname0 = '127.0.0.1'
backend_port0 = ${proxyPort}
# There is no other backend to turn to.
backend_flag0 = 'DISALLOW_TO_FAILOVER'
num_init_children = 40
# The client's password goes on to the server.
enable_pool_hba = off
pool_passwd = ''
allow_clear_text_frontend_auth = on
`;
  const file = join(home, 'pgpool.conf');
  await writeFile(file, settings);
  const started = spawn('pgpool', ['-n', '-f', file, '-F', '/dev/null', '-a', '/dev/null'], {
    ...{ ...user, cwd: home, stdio: 'ignore', detached: true },
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  parts.defer(() => {
    if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, 'SIGKILL');
  });
  while (!(await isListening(port))) {
    if (started.exitCode !== null) throw new Error(`pgpool ended with ${started.exitCode}`);
    await sleep(100);
  }
  return port;
}
