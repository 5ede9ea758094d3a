/** One gateway over real sockets: what may have been read, what is repeated, and which connections are kept. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { closed } from '../../../test/closed.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { type CarrierTransport, createTransport, type GatewayRequest } from './transport.ts';

const PATIENT = { timeout: 20_000 };
const REQUEST: GatewayRequest = { method: 'POST', path: '/sms', headers: {}, body: 'a code' };

interface Gateway {
  readonly transport: CarrierTransport;
  /** In the order in which they came. */
  readonly bodies: string[];
  readonly sockets: Socket[];
}

/** A gateway that does `react` with each request once it has read it, and a transport to it. */
async function open(t: TestContext, react: RequestListener, connections = 1, host = '127.0.0.1') {
  const gateway = { bodies: [] as string[], sockets: [] as Socket[] };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    gateway.bodies.push(body);
    react(request, response);
  });
  // The transport or a test closes connections, never a timeout.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => gateway.sockets.push(socket));
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const transport = createTransport(SYSTEM_CLOCK, origin, { connections });
  t.after(() => {
    transport.close();
    server.close();
    server.closeAllConnections();
  });
  return { ...gateway, transport } satisfies Gateway;
}

/** A gateway that answers with these bytes, and does not speak HTTP otherwise. */
async function openRaw(t: TestContext, answer: (socket: Socket, count: number) => void) {
  let count = 0;
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).on('data', () => answer(socket, ++count));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = new URL(`http://127.0.0.1:${port}`);
  const transport = createTransport(SYSTEM_CLOCK, origin, { connections: 1 });
  t.after(() => {
    transport.close();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { transport, sockets };
}

const never = () => new AbortController().signal;
const ask = ({ transport }: { transport: CarrierTransport }, body = 'a code', signal = never()) =>
  transport.send({ ...REQUEST, body }, { signal });
const bodyOf = (exchange: Awaited<ReturnType<CarrierTransport['send']>>) =>
  exchange.kind === 'answered' ? exchange.answer.body : exchange.reason;
const TIMED_OUT = { kind: 'failed', reason: 'timed out' };
const CUT_OFF = { kind: 'failed', reason: 'connection closed in the middle of the answer', unclear: true };
const WHOLE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n';

suite('a request that is given up', PATIENT, () => {
  test('after it was written is unclear', async (t) => {
    const giveUp = new AbortController();
    const gateway = await open(t, () => giveUp.abort());
    assert.deepEqual(await ask(gateway, 'a code', giveUp.signal), { ...TIMED_OUT, unclear: true });
  });

  test('while it waits for a connection was not sent, and never is', async (t) => {
    const first = Promise.withResolvers<() => void>();
    const gateway = await open(t, (_, response) => first.resolve(() => response.end('taken')));
    const answered = ask(gateway, 'first');
    const giveUp = new AbortController();
    const waiting = ask(gateway, 'second', giveUp.signal);
    const third = ask(gateway, 'third');
    const answer = await first.promise;
    giveUp.abort();
    assert.deepEqual(await waiting, { ...TIMED_OUT, unclear: false });
    answer();
    assert.equal(bodyOf(await answered), 'taken');
    giveUp.abort();
    gateway.transport.close();
    await third;
    assert.ok(!gateway.bodies.includes('second'));
  });

  test('while it connects was not sent, and leaves its place to others', async (t) => {
    // It takes connections, and never answers a handshake.
    const arrived: Socket[] = [];
    const silent = createTcpServer((socket) => arrived.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const origin = new URL(`https://127.0.0.1:${port}`);
    const transport = createTransport(SYSTEM_CLOCK, origin, { connections: 1 });
    t.after(() => {
      transport.close();
      silent.close();
      for (const socket of arrived) socket.destroy();
    });
    for (const count of [1, 2]) {
      const giveUp = new AbortController();
      const sent = ask({ transport }, 'a code', giveUp.signal);
      if (arrived.length < count) await once(silent, 'connection');
      giveUp.abort();
      assert.deepEqual(await sent, { ...TIMED_OUT, unclear: false });
      const last = arrived.at(-1);
      assert.ok(last !== undefined);
      await closed(last.resume());
    }
  });
});

suite('a request', PATIENT, () => {
  test('is unsent until there is a connection for it', async (t) => {
    const gateway = await open(t, (_, response) => response.end('taken'));
    const deadline = { signal: never(), unsent: true };
    assert.equal(bodyOf(await gateway.transport.send(REQUEST, deadline)), 'taken');
    assert.equal(deadline.unsent, false);
    const unconnected = { signal: AbortSignal.abort(), unsent: true };
    assert.deepEqual(await gateway.transport.send(REQUEST, unconnected), { ...TIMED_OUT, unclear: false });
    assert.equal(unconnected.unsent, true);
  });

  test('that is not wanted any more is not repeated', async (t) => {
    const gateway = await open(t, ({ socket }, response) => {
      if (gateway.bodies.length === 2) socket.end();
      else response.end('taken');
    });
    let isWanted = true;
    const deadline = {
      signal: never(),
      get wanted() {
        return isWanted;
      },
    };
    assert.equal(bodyOf(await gateway.transport.send(REQUEST, deadline)), 'taken');
    isWanted = false;
    const exchange = await gateway.transport.send(REQUEST, deadline);
    assert.ok(exchange.kind === 'failed' && exchange.unclear);
    assert.equal(gateway.bodies.length, 2);
  });
});

suite('a connection that the gateway closes', PATIENT, () => {
  for (const [how, close] of [
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ] as const) {
    test(`as we take it (it ${how} it) has its request repeated, once`, async (t) => {
      let left = 1;
      const gateway = await open(t, ({ socket }, response) => {
        if (gateway.bodies.length > 1 && left-- > 0) close(socket);
        else response.end(`${gateway.bodies.length}`);
      });
      assert.equal(bodyOf(await ask(gateway)), '1');
      assert.equal(bodyOf(await ask(gateway)), '3');
      left = 2;
      assert.deepEqual(await ask(gateway), {
        ...{ kind: 'failed', reason: 'connection failed: ECONNRESET', unclear: true },
      });
      assert.equal(gateway.bodies.length, 5);
    });
  }

  test('as we take it has it repeated only if that may be', async (t) => {
    const gateway = await open(t, ({ socket }, response) =>
      gateway.bodies.length === 2 ? socket.destroy() : response.end(),
    );
    await ask(gateway);
    const exchange = await gateway.transport.send(REQUEST, { signal: never() }, false);
    assert.ok(exchange.kind === 'failed' && exchange.unclear);
    assert.equal(gateway.bodies.length, 2);
  });

  test('while it is idle is replaced, and nothing is repeated', async (t) => {
    const gateway = await open(t, (_, response) => response.end('taken'));
    for (const count of [1, 2, 3]) {
      assert.equal(bodyOf(await gateway.transport.send(REQUEST, { signal: never() }, false)), 'taken');
      assert.deepEqual([gateway.sockets.length, gateway.bodies.length], [count, count]);
      const socket = gateway.sockets.at(-1);
      assert.ok(socket !== undefined);
      socket.end();
      await closed(socket);
    }
  });

  test('before it was ever used may have read its request', async (t) => {
    const gateway = await open(t, ({ socket }) => socket.destroy());
    assert.deepEqual(await ask(gateway), {
      ...{ kind: 'failed', reason: 'connection failed: ECONNRESET', unclear: true },
    });
    assert.equal(gateway.bodies.length, 1);
  });

  test('in the middle of an answer has seen its request, however much of the answer came', async (t) => {
    for (const part of ['HTTP/1.1 200', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"id"']) {
      const gateway = await openRaw(t, (socket, count) => {
        if (count === 1) socket.write(`${WHOLE}ok`);
        else socket.end(part);
      });
      assert.equal(bodyOf(await ask(gateway)), 'ok');
      assert.deepEqual(await ask(gateway), CUT_OFF);
      assert.equal(gateway.sockets.length, 1);
    }
  });

  test('after its answer, as it announced, is not used again', async (t) => {
    const gateway = await open(t, (_, response) => response.setHeader('connection', 'close').end('taken'));
    for (const count of [1, 2]) {
      assert.equal(bodyOf(await ask(gateway)), 'taken');
      assert.equal(gateway.sockets.length, count);
    }
  });

  test('soon, as it announced, is not used again; later, it is', async (t) => {
    let hint = 'timeout=1';
    const gateway = await open(t, (_, response) => response.setHeader('keep-alive', hint).end('taken'));
    for (const [said, count] of [
      ['timeout=1', 1],
      ['timeout=30', 2],
      ['timeout=30, max=9', 2],
      ['max=9', 2],
    ] as const) {
      hint = said;
      assert.equal(bodyOf(await ask(gateway)), 'taken');
      assert.equal(gateway.sockets.length, count, said);
    }
  });
});

suite('an answer', PATIENT, () => {
  test('of 64 KiB is read; a longer one is not, and its connection not used again', async (t) => {
    const most = 64 * 1024;
    let size = most;
    const gateway = await open(t, (_, response) => response.end('x'.repeat(size)));
    assert.equal(bodyOf(await ask(gateway))?.length, most);
    size += 1;
    const { kind, ...exchange } = await ask(gateway);
    assert.equal(kind, 'answered');
    assert.ok('answer' in exchange && exchange.answer.body === undefined && exchange.answer.status === 200);
    assert.equal(gateway.sockets.length, 1);
    size = 2;
    assert.equal(bodyOf(await ask(gateway)), 'xx');
    assert.equal(gateway.sockets.length, 2);
  });

  test('comes after others that only inform', async (t) => {
    const gateway = await openRaw(t, (socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${WHOLE}ok`),
    );
    const exchange = await ask(gateway);
    assert.ok(exchange.kind === 'answered');
    assert.deepEqual([exchange.answer.status, exchange.answer.body], [200, 'ok']);
  });

  test('that nobody asked for is not taken for that of the next request', async (t) => {
    const gateway = await openRaw(t, (socket, count) =>
      socket.write(`${WHOLE}a${count}${count === 1 ? `${WHOLE}xx` : ''}`),
    );
    assert.equal(bodyOf(await ask(gateway)), 'a1');
    assert.equal(bodyOf(await ask(gateway)), 'a2');
    assert.equal(gateway.sockets.length, 2);
  });
});

suite('many requests', PATIENT, () => {
  const names = Array.from({ length: 60 }, (_, i) => `${i}`);

  test('go over one connection one after the other, in the order in which they came', async (t) => {
    let [atOnce, most] = [0, 0];
    const gateway = await open(t, (_, response) => {
      most = Math.max(most, ++atOnce);
      setImmediate(() => {
        atOnce -= 1;
        response.end(gateway.bodies.at(-1));
      });
    });
    const answers = await Promise.all(names.map((name) => ask(gateway, name)));
    assert.deepEqual(answers.map(bodyOf), names);
    assert.deepEqual(gateway.bodies, names);
    assert.deepEqual([gateway.sockets.length, most], [1, 1]);
  });

  test('get their own answers over few, also when connections are lost', async (t) => {
    const gateway = await open(
      t,
      ({ socket }, response) => {
        const body = gateway.bodies.at(-1);
        if (Number(body) % 7 === 3) socket.destroy();
        else response.end(body);
      },
      4,
    );
    const answers = await Promise.all(
      names.map((name) => gateway.transport.send({ ...REQUEST, body: name }, { signal: never() }, false)),
    );
    for (const [i, name] of names.entries()) {
      const exchange = answers[i];
      assert.ok(exchange !== undefined);
      if (i % 7 === 3) assert.equal(exchange.kind, 'failed', name);
      else assert.equal(bodyOf(exchange), name);
    }
    assert.deepEqual(
      gateway.bodies.toSorted((a, b) => Number(a) - Number(b)),
      names,
    );
  });
});

suite('a transport', PATIENT, () => {
  test('reaches an address of IPv6', async (t) => {
    let host: string | undefined;
    const gateway = await open(
      t,
      (request, response) => {
        host = request.headers.host;
        response.end('taken');
      },
      1,
      '::1',
    );
    assert.equal(bodyOf(await ask(gateway)), 'taken');
    assert.match(host ?? '', /^\[::1\]:\d+$/);
    await gateway.transport.probe(20_000);
  });

  test('that is closed ends what is under way or waits, and sends nothing more', async (t) => {
    const gateway = await open(t, () => gateway.transport.close());
    const [underWay, waiting] = await Promise.all([ask(gateway, 'first'), ask(gateway, 'second')]);
    assert.ok(underWay.kind === 'failed' && underWay.unclear);
    assert.ok(waiting.kind === 'failed' && !waiting.unclear);
    const after = await ask(gateway, 'third');
    assert.ok(after.kind === 'failed' && !after.unclear);
    assert.deepEqual(gateway.bodies, ['first']);
  });

  test('shows nothing of a request that cannot be written, and has not sent it', async (t) => {
    const gateway = await open(t, (_, response) => response.end('taken'));
    for (const wrong of [{ path: '/482 913' }, { headers: { 'x-code': '482913\n' } }]) {
      const exchange = await gateway.transport.send({ ...REQUEST, ...wrong }, { signal: never() });
      assert.ok(exchange.kind === 'failed' && !exchange.unclear);
      assert.equal(exchange.reason, 'connection failed: UND_ERR_INVALID_ARG');
    }
    assert.equal(bodyOf(await ask(gateway)), 'taken');
  });
});
