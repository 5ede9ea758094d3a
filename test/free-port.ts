import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections and to port 0: none of those takes the port before its server does. */
const LOWEST = 10_000;
const BEYOND = 32_000;

/** A port that was free a moment ago. Port 0 would not do: a restarted service must keep its address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, BEYOND);
    const server = createServer().listen(port);
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
