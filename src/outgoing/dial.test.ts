/** Sockets with TLS: whom they trust, what they speak, and what they remember of a handshake. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { ensureSelfSigned } from '../http/connection/tls.ts';
import { connected, createDial } from './dial.ts';

suite('a socket with TLS', { timeout: 20_000 }, () => {
  let folder: string;
  let server: Server;
  let origin: URL;
  let ca: string;
  const met: unknown[] = [];
  const never = new AbortController().signal;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-dial-'));
    const files = await ensureSelfSigned(folder);
    ca = await readFile(files.cert, 'utf8');
    const ALPNProtocols = ['h2', 'http/1.1'];
    server = createServer({ cert: ca, key: await readFile(files.key), ALPNProtocols });
    server.on('secureConnection', (socket) => {
      met.push([socket.servername, socket.alpnProtocol, socket.isSessionReused()]);
      socket.on('error', () => {}).end('hello');
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    origin = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  test('speaks HTTP/1.1, names the host, and makes one long handshake only', async () => {
    const dial = createDial(origin, { ca });
    for (let i = 0; i < 3; i++) {
      const socket = dial();
      await connected(socket, never);
      // What it needs for the next handshake comes before the first byte.
      socket.resume();
      await once(socket, 'close');
    }
    const facts = (isReused: boolean) => ['localhost', 'http/1.1', isReused];
    assert.deepEqual(met, [facts(false), facts(true), facts(true)]);
  });

  test('is not opened to whom its certificates do not vouch for', async () => {
    const socket = createDial(origin, {})();
    await assert.rejects(connected(socket, never), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.ok(socket.destroyed);
  });

  test('that is given up is closed', async () => {
    const giveUp = new AbortController();
    const socket = createDial(origin, { ca })();
    const opening = connected(socket, giveUp.signal);
    giveUp.abort();
    await assert.rejects(opening, { code: 'ABORT_ERR' });
    assert.ok(socket.destroyed);
  });
});
