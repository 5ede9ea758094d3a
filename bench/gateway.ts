/** An HTTP gateway that takes every message at once. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Arrived } from './phones.ts';

export async function startGateway(
  arrived: Arrived,
): Promise<{ readonly port: number; readonly close: () => void }> {
  let taken = 0;
  const server = createServer(async (request, response) => {
    const { to, code } = (await json(request)) as { to: string; code: string };
    arrived(to, code);
    response.writeHead(202, { 'content-type': 'application/json' }).end(`{"id":"${taken++}"}`);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
