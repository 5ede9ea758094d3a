/** The service's listener, TLS and framework with a handler that does nothing: shows what its own HTTP layer costs. */
import fastify from 'fastify';
import { readKeyPair } from '../../src/http/connection/key-pair.ts';
import { createListener, PATIENCE } from '../../src/http/connection/listener.ts';

const [port, cert = '', key = ''] = process.argv.slice(2);
const keyPair = await readKeyPair({ cert, key });
const app = fastify({
  serverFactory: (handler) =>
    createListener({ keyPair, patience: PATIENCE, maxConnections: 10_000 }, handler),
});
// As long as the service's answers.
const answer = { id: `ver_${'0'.repeat(32)}`, destination: '+4915100000000', channel: 'sms' };
app.post('/verify', () => answer);
app.get('/readyz', () => answer);
await app.listen({ port: Number(port), host: '127.0.0.1' });
