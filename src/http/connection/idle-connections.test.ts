import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { RequestAnswer } from '../../core/verification/request.ts';
import { createFixture, KEY, NUMBER, readToEnd } from '../fixture.ts';

const MAX = 2;
/** Nobody is cut off for being slow. */
const PATIENT = { handshake: 600_000, headers: 600_000, request: 600_000, keepAlive: 600_000 };
const ASK = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const BODY = JSON.stringify({ destination: NUMBER, channel: 'sms' });
const VERIFY = `POST /verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

/** A server, and the ways to connect to it. */
async function listen(t: TestContext, answers = {}) {
  const opened: Socket[] = [];
  // Before the server is closed, which would wait for handshakes that never end.
  t.after(() => opened.forEach((socket) => void socket.destroy()));
  const port = await (
    await createFixture(t, answers, {}, { idle: { silent: MAX, resting: MAX }, patience: PATIENT })
  ).listen();
  const open = async (socket: Socket, ready: string) => {
    opened.push(socket.on('error', () => {}));
    await once(socket, ready);
    return socket;
  };
  return {
    tcp: () => open(connect(port, '127.0.0.1'), 'connect'),
    // The session comes once the server, too, has ended the handshake.
    tls: () => open(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }), 'session'),
  };
}

async function asked(socket: Socket): Promise<string> {
  socket.write(ASK);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

// Without a timeout of its own one that is never dropped would be waited for.
describe('idle connections', { timeout: 60_000 }, () => {
  for (const [what, kind] of [
    ['before their handshake', 'tcp'],
    ['after it', 'tls'],
  ] as const) {
    it(`${what}, the oldest makes room for the newest`, async (t) => {
      const open = (await listen(t))[kind];
      const gone = readToEnd(await open());
      await open();
      await open();
      await gone;
    });
  }

  it('without requests do not keep a newcomer out', async (t) => {
    const open = await listen(t);
    for (let i = 0; i < 10 * MAX; i++) await open.tcp();
    assert.match(await asked(await open.tls()), / 200 /);
  });

  it('without requests do not drive out clients that have asked', async (t) => {
    const open = await listen(t);
    const client = await open.tls();
    assert.match(await asked(client), / 200 /);
    for (let i = 0; i < 10 * MAX; i++) await open.tcp();
    // Taken up after all those.
    assert.match(await asked(await open.tls()), / 200 /);
    assert.match(await asked(client), / 200 /);
  });

  it('that have asked do not keep a newcomer out, and the one that rested longest goes', async (t) => {
    const open = await listen(t);
    const first = await open.tls();
    const second = await open.tls();
    for (const client of [first, second, first]) assert.match(await asked(client), / 200 /);
    const gone = readToEnd(second);
    assert.match(await asked(await open.tls()), / 200 /);
    await gone;
    assert.match(await asked(first), / 200 /);
  });

  it('do not include those that went away before their answer', async (t) => {
    const open = await listen(t, { request: new Promise<RequestAnswer>(() => {}) });
    for (let i = 0; i <= MAX; i++) {
      const leaving = await open.tls();
      assert.match(await asked(leaving), / 200 /);
      await new Promise((resolve) => leaving.write(VERIFY, resolve));
      leaving.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    const client = await open.tls();
    assert.match(await asked(client), / 200 /);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(client.readyState, 'open');
  });

  it('do not include busy ones: a client that waits for an answer gets it', async (t) => {
    const answer = Promise.withResolvers<RequestAnswer>();
    const open = await listen(t, { request: answer.promise });
    const busy = await open.tls();
    // A connection that has rested before must count as busy again.
    assert.match(await asked(busy), / 200 /);
    busy.write(VERIFY);
    for (let i = 0; i < 10 * MAX; i++) assert.match(await asked(await open.tls()), / 200 /);
    for (let i = 0; i < 10 * MAX; i++) await open.tcp();
    answer.resolve({ kind: 'issued', id: 'ver_1', destination: NUMBER, channel: 'sms' });
    const [text] = await once(busy, 'data');
    assert.match(String(text), / 200 /);
  });
});
