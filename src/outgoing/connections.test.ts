import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';

const REQUEST = { method: 'POST', path: '/', headers: {}, body: 'a code' };

/** A peer that does `react` with whatever it is sent, and connections to it. */
async function open(t: TestContext, react: (socket: Socket) => void, connections = 1) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).on('data', () => react(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened = new Connections(new URL(`http://127.0.0.1:${port}`), { connections });
  t.after(() => {
    opened.close();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const take = async (): Promise<Connection> => {
    const taken = await opened.take(new AbortController().signal);
    assert.ok(taken.kind === 'connected');
    return taken;
  };
  return { sockets, take };
}

const whole = (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');

suite('a connection', { timeout: 20_000 }, () => {
  test('that is given up in the middle of an answer has no whole one, even if only its close would end that', async (t) => {
    const { take } = await open(t, (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n{"id":'));
    const giveUp = new AbortController();
    const connection = await take();
    const exchange = await connection.exchange(REQUEST, giveUp.signal, () =>
      setImmediate(() => giveUp.abort()),
    );
    assert.ok(exchange.kind === 'failed' && exchange.stage === 'answering');
    assert.ok(!connection.isOpen);
  });

  test('that was used last is taken first', async (t) => {
    const { take, sockets } = await open(t, whole, 3);
    const all = await Promise.all([take(), take(), take()]);
    assert.equal(new Set(all).size, 3);
    for (const connection of all) await connection.exchange(REQUEST, new AbortController().signal);
    assert.deepEqual([await take(), await take(), await take()], all.toReversed());
    assert.equal(sockets.length, 3);
  });

  test('that is closed unused leaves its place to whoever waits', async (t) => {
    const { take } = await open(t, whole);
    const first = await take();
    const [second] = await Promise.all([take(), first.close()]);
    assert.notEqual(second, first);
    const exchange = await second.exchange(REQUEST, new AbortController().signal);
    assert.ok(exchange.kind === 'answered' && exchange.body === 'ok');
  });
});
