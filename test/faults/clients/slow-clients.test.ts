/** Clients that hold a connection without using it are cut off, and others are served in the meantime. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshNumber } from '../../acceptance/client.ts';
import { closed } from '../../closed.ts';
import { type Service, startService } from '../../service.ts';
import { connectTls } from './raw-connection.ts';

/** Well over the service's own timeouts, so that only a client that is never cut off fails. */
const DEADLINE_MS = 40_000;
const HEAD = 'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

let service: Service;
before(async () => {
  service = await startService({ config: { limits: { requestsPerKey: [] } } });
});
after(() => service[Symbol.asyncDispose]());

const connectTcp = () => net.connect(service.port, 'localhost');

const shakeHands = () => connectTls({ host: 'localhost', port: service.port, ca: service.ca });

/** Sends one byte after another, slowly, as long as the connection lives. */
async function drip(socket: net.Socket, text: () => string): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(text());
    await sleep(250);
  }
}

/** Resolves when the service ends the connection; rejects if it does not. */
async function untilCutOff(socket: net.Socket): Promise<void> {
  socket.on('error', () => {});
  socket.resume();
  if (socket.destroyed) return;
  try {
    await closed(socket, AbortSignal.timeout(DEADLINE_MS));
  } finally {
    socket.destroy();
  }
}

const authorized = () => `${HEAD}Authorization: Bearer ${service.key}\r\n`;

const CASES: Readonly<Record<string, () => Promise<void>>> = {
  'a TCP connection that says nothing': () => untilCutOff(connectTcp()),
  'half a ClientHello': async () => {
    const socket = connectTcp();
    socket.write(Buffer.from('16030100f8010000f40303', 'hex'));
    await untilCutOff(socket);
  },
  'silence after the handshake': async () => untilCutOff(await shakeHands()),
  'headers that never end': async () => {
    const socket = await shakeHands();
    const cut = untilCutOff(socket);
    socket.write(HEAD);
    await drip(socket, () => `X-A: ${Math.random()}\r\n`);
    await cut;
  },
  'a request line that stops half way': async () => {
    const socket = await shakeHands();
    socket.write('POST /ver');
    await untilCutOff(socket);
  },
  'a body that stops half way': async () => {
    const socket = await shakeHands();
    socket.write(`${authorized()}Content-Length: 100\r\n\r\n{"destination":`);
    await untilCutOff(socket);
  },
  'a body that drips': async () => {
    const socket = await shakeHands();
    const cut = untilCutOff(socket);
    socket.write(`${authorized()}Content-Length: 10000\r\n\r\n`);
    await drip(socket, () => ' ');
    await cut;
  },
  'a chunked body that drips': async () => {
    const socket = await shakeHands();
    const cut = untilCutOff(socket);
    socket.write(`${authorized()}Transfer-Encoding: chunked\r\n\r\n`);
    await drip(socket, () => '1\r\n \r\n');
    await cut;
  },
  'two hundred of them at once': async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, shakeHands));
    for (const socket of sockets) socket.write(HEAD);
    await Promise.all(sockets.map(untilCutOff));
  },
};

describe('cut off', { concurrency: true }, () => {
  for (const [what, run] of Object.entries(CASES)) test(what, run);

  test('while valid requests are served', async () => {
    for (let i = 0; i < 40; i++) {
      assert.equal((await service.client.verify(freshNumber())).status, 200);
      await sleep(200);
    }
  });
});
