/** Thousands of connections without requests: they cost little, and keep nobody out. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { freshNumber } from '../../acceptance/client.ts';
import { freePort } from '../../free-port.ts';
import { type Service, startService } from '../../service.ts';

/** By its address: to look a name up takes longer than to connect. */
const HOST = '127.0.0.1';
const AT_ONCE = 200;
const MOST_MIB = 60;
/** Any traffic brings the young part of the heap to its full size, which would count as theirs if they came first. */
const TRAFFIC = 2_000;
/** Half as many are kept; of some others the end is not known here yet. */
const MOST_OPEN = 1_000;
/** Fewer with a slow handshake, but still several times as many as are kept. */
const COUNTS = { 'that say nothing': 10_000, 'on which a handshake was made': 2_000 };

const ON_PLAIN_PORT = 3_000;

const canMeasure = process.platform === 'linux';

/** What a process holds in memory, in MiB. */
async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** What it holds in memory once it has had some traffic. */
async function residentAfterTraffic({ client, pid }: Service): Promise<number> {
  for (let sent = 0; sent < TRAFFIC; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => client.verify(freshNumber())));
  }
  return canMeasure ? residentMib(pid) : 0;
}

/** Opens so many connections, some at a time, and leaves them open. */
async function open(count: number, connect: () => net.Socket, ready: string): Promise<readonly net.Socket[]> {
  const sockets: net.Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: AT_ONCE }, connect);
    for (const socket of batch) socket.on('error', () => {}).resume();
    // A connection that was dropped at once also counts as opened.
    const isOver = (socket: net.Socket) =>
      new Promise((resolve) => socket.once(ready, resolve).once('close', resolve));
    await Promise.all(batch.map(isOver));
    sockets.push(...batch);
  }
  return sockets;
}

for (const [what, count] of Object.entries(COUNTS)) {
  test(`${count} connections ${what}`, async (t) => {
    await using service = await startService({ config: { limits: { requestsPerKey: [] } } });
    const { port, ca, pid } = service;
    const secureContext = tls.createSecureContext({ ca });
    const before = await residentAfterTraffic(service);

    const shaken = what !== 'that say nothing';
    const connect = () =>
      shaken
        ? tls.connect({ host: HOST, servername: 'localhost', port, secureContext })
        : net.connect(port, HOST);
    const sockets = await open(count, connect, shaken ? 'secureConnect' : 'connect');
    t.after(() => sockets.forEach((socket) => void socket.destroy()));

    assert.equal((await service.client.verify(freshNumber())).status, 200, 'a client of before is served');
    const newcomer = tls.connect({ host: 'localhost', port, ca });
    t.after(() => newcomer.destroy());
    newcomer.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [answer] = await once(newcomer, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200/, 'and a new one');
    const left = sockets.filter(({ destroyed }) => !destroyed).length;
    assert.ok(left <= MOST_OPEN, `${left} are still open`);
    if (!canMeasure) return;
    const growth = (await residentMib(pid)) - before;
    t.diagnostic(`${growth.toFixed(1)} MiB`);
    assert.ok(growth < MOST_MIB, `they took ${growth.toFixed(1)} MiB`);
  });
}

test(`${ON_PLAIN_PORT} silent connections to the plain port`, async (t) => {
  const plainPort = await freePort();
  await using service = await startService({
    config: { limits: { requestsPerKey: [] }, plain: { port: plainPort } },
  });
  const before = await residentAfterTraffic(service);
  const sockets = await open(ON_PLAIN_PORT, () => net.connect(plainPort, HOST), 'connect');
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const newcomer = net.connect(plainPort, 'localhost');
  t.after(() => newcomer.destroy());
  newcomer.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = await once(newcomer, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 403/);
  if (!canMeasure) return;
  const growth = (await residentMib(service.pid)) - before;
  t.diagnostic(`${growth.toFixed(1)} MiB`);
  assert.ok(growth < MOST_MIB, `they took ${growth.toFixed(1)} MiB`);
});
