/**
 * The image's HEALTHCHECK: ends with 0 when the service in this container answers /healthz. Not /readyz: where an
 * unhealthy container is restarted, a database that is away for a while must not take all nodes with it. Plain JavaScript,
 * so that Node, several times a minute, need not load its type stripper.
 */
import { once } from 'node:events';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import '../../src/runtime/compile-cache.js';

const WILDCARDS = ['::', '0.0.0.0'];

/** Where the running service says that it listens: its file may hold a mistake that it refused, or wait for a restart. */
async function askService() {
  const { COUNTERSIGN_DATA_DIR: dataDir = './data' } = process.env;
  const socket = connect(join(dataDir, 'serve.sock'));
  socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'connect');
    socket.write('address\n');
    let said = '';
    for await (const chunk of socket) said += chunk;
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

/** Where the data folder cannot be written, the service has no socket. */
async function readFile() {
  const { readConfiguration } = await import('../../src/cli/configuration.ts');
  const { host, port, trustProxy } = readConfiguration();
  return { host, port, secure: trustProxy.length === 0 };
}

const { host, port, secure } = (await askService()) ?? (await readFile());
const target = {
  host: WILDCARDS.includes(host) ? '127.0.0.1' : host,
  ...{ port, path: '/healthz', timeout: 4_000 },
};
// The certificate has the name that clients use. This is the same container, and nothing secret is sent.
const request = secure ? requestTls({ ...target, rejectUnauthorized: false }) : requestPlain(target);
request
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
