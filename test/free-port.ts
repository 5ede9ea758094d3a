import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Below the range that systems use for outgoing connections and for port 0, so that none of these takes the port before
 * its server does. Above 10080, which browsers and `fetch` refuse to open.
 */
const LOWEST = 10_081;
const BEYOND = 32_000;

/**
 * A port that was free a moment ago, and that no other test is given while this process runs. Port 0 is not enough: a
 * service that is restarted must keep its address, and one that is away must be missed there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, BEYOND);
    if ((await isOurs(port)) && (await isFree(port))) return port;
  }
}

/**
 * Claims a port before all processes of the tests, which draw from the same few thousand. The port of the same number for
 * UDP, which nobody here speaks, says so: one process has it, and loses it however it ends.
 */
async function isOurs(port: number): Promise<boolean> {
  const claim = createSocket('udp4');
  try {
    claim.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(claim, 'listening');
  } catch {
    claim.close();
    return false;
  }
  claim.unref();
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Whether something on this machine takes connections there. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
