import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openMailServer } from '../../../test/alerts/mail-server.ts';
import { createWorkplace } from '../fixture.ts';

const CONFIG = { COUNTERSIGN_CONFIG: 'countersign.yaml' };
const CLI = fileURLToPath(new URL('../../../bin/countersign.js', import.meta.url));

test('each place that the configuration names is tried out, and what came back is said', async () => {
  using place = createWorkplace();
  await using parts = new AsyncDisposableStack();
  const mails = parts.use(await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] }));
  const posted: { readonly event: string }[] = [];
  let status = 204;
  const chat = createServer(async (request: IncomingMessage, response) => {
    posted.push((await json(request)) as { event: string });
    response.writeHead(status).end();
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  parts.defer(() => void chat.close());
  const address = chat.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = {
    smtp: { host: 'localhost', port: mails.port, encryption: 'none', from: 'alerts@example.com' },
    alerts: { email: ['ops@example.com'], webhook: { url: `http://127.0.0.1:${port}/precious` } },
  };
  place.write('countersign.yaml', JSON.stringify(config));
  /** Not at once with this process, which answers it. */
  async function tryOut() {
    const env = { PATH: process.env.PATH, NO_COLOR: '1', ...CONFIG };
    const child = spawn(process.execPath, [CLI, 'alerts', 'test'], { cwd: place.folder, env });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr };
  }
  assert.deepEqual(await tryOut(), { stdout: 'ops@example.com: taken\nwebhook: taken\n', stderr: '' });
  assert.deepEqual(
    [posted.map(({ event }) => event), mails.received.map(({ to }) => to)],
    [['alert.test'], [['ops@example.com']]],
  );
  status = 403;
  const refused = await tryOut();
  assert.equal(refused.stdout, 'ops@example.com: taken\nwebhook: not taken: HTTP 403\n');
  assert.match(refused.stderr, /1 of 2 places did not take the test/);
  assert.ok(!`${refused.stdout}${refused.stderr}`.includes('precious'), 'the address is a secret');
  place.write('countersign.yaml', '{}');
  assert.match((await place.run(['alerts', 'test'], CONFIG)).stderr, /names no place/);
});
