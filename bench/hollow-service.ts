/** The service's own HTTP layer, routes, checks, log line, metrics and all, with nobody behind it. */
import type { VerifierPort } from '../src/core/verifier.ts';
import { createHttpServer } from '../src/http/server.ts';
import { createLog } from '../src/telemetry/log.ts';
import { createMetrics, METRICS_TYPE } from '../src/telemetry/metrics.ts';

const [port, cert = '', key = ''] = process.argv.slice(2);
const { logger } = createLog('info');
const metrics = createMetrics();
const caller = { keyId: `key_${'0'.repeat(16)}`, accountId: 'none', test: false };
const verifier: VerifierPort = {
  request: async (_caller, { destination, channel }) => ({
    kind: 'issued',
    id: `ver_${'0'.repeat(32)}`,
    destination,
    channel,
  }),
  confirm: async () => ({ kind: 'unknown' }),
};
const app = await createHttpServer(
  {
    verifier,
    authenticate: () => caller,
    messages: async () => ({ ok: true, messages: [] }),
    isOverloaded: () => false,
    readiness: async () => ({ ready: true, parts: {} }),
    metrics: { answered: metrics.answered, render: metrics.render, contentType: METRICS_TYPE },
    log: logger,
  },
  { transport: { kind: 'tls', cert, key } },
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
