/**
 * The image's HEALTHCHECK: ends with 0 when the service in this container answers /healthz. Not /readyz: where an
 * unhealthy container is restarted, a database that is away for a while must not take all nodes with it. Plain JavaScript,
 * so that Node, several times a minute, need not load its type stripper.
 */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import '../../src/runtime/compile-cache.js';

const { readConfiguration } = await import('../../src/cli/configuration.ts');

const { port, trustProxy } = readConfiguration();
const target = { host: '127.0.0.1', port, path: '/healthz', timeout: 4_000 };
// The certificate has the name that clients use. This is the same container, and nothing secret is sent.
const request =
  trustProxy.length > 0 ? requestPlain(target) : requestTls({ ...target, rejectUnauthorized: false });
request
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
