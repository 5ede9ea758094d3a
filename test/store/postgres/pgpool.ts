/** The pgpool-II of this machine before a primary and its standby, which answers all that only reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from '../../free-port.ts';
import type { OwnPostgres } from '../../postgres.ts';

const PROGRAM = '/usr/sbin/pgpool';

export const hasPgpool = existsSync(PROGRAM);

/** Answers the URL of the primary's own database, by way of pgpool-II. */
export async function startPgpool(
  primary: OwnPostgres,
  standby: OwnPostgres,
  parts: AsyncDisposableStack,
): Promise<string> {
  const [port, controlPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pgpool-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const url = new URL(primary.url);
  const settings = `
listen_addresses = '127.0.0.1'
port = ${port}
pcp_port = ${controlPort}
socket_dir = '${folder}'
pcp_socket_dir = '${folder}'
pid_file_name = '${folder}/pid'
logdir = '${folder}'
work_dir = '${folder}'
backend_clustering_mode = 'streaming_replication'
load_balance_mode = on
sr_check_user = 'postgres'
sr_check_password = '${url.password}'
backend_hostname0 = '127.0.0.1'
backend_port0 = ${primary.port}
backend_weight0 = 0
backend_hostname1 = '127.0.0.1'
backend_port1 = ${standby.port}
backend_weight1 = 1
num_init_children = 20
enable_pool_hba = off
pool_passwd = ''
allow_clear_text_frontend_auth = on
`;
  const file = join(folder, 'pgpool.conf');
  await writeFile(file, settings);
  const started = spawn(PROGRAM, ['-n', '-f', file, '-F', '/dev/null', '-a', '/dev/null'], {
    ...{ cwd: folder, stdio: 'ignore', detached: true },
  });
  const ended = once(started, 'exit');
  parts.defer(async () => {
    if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, 'SIGKILL');
    await ended;
  });
  while (!(await isListening(port))) {
    if (started.exitCode !== null) throw new Error(`pgpool ended with ${started.exitCode}`);
    await sleep(50);
  }
  url.port = String(port);
  return url.href;
}
