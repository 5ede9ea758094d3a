/** The client of the tests asks again where a service is overloaded, by whichever door it says so, and not where it is unavailable. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createClient } from './client.ts';

const twilio = (message: string) => ({ code: 20503, message, more_info: '', status: 503 });

for (const [name, body, requests] of [
  ['a problem', { type: '/problems/overloaded' }, 2],
  ['the façade’s refusal', twilio('The service is overloaded right now. Nothing was done'), 2],
  ['another refusal of the façade', twilio('The service cannot work right now. Nothing was done'), 1],
] as const) {
  test(`${name}: ${requests} requests`, async (t) => {
    let seen = 0;
    const server = createServer((request, response) => {
      seen += 1;
      request.resume();
      response.writeHead(seen === 1 ? 503 : 200).end(JSON.stringify(seen === 1 ? body : {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const client = createClient({ baseUrl: `http://127.0.0.1:${address.port}`, ca: undefined, key: 'k' });
    assert.equal((await client.post('/', {})).status, requests === 2 ? 200 : 503);
    assert.equal(seen, requests);
  });
}
