/** An HTTP gateway that accepts every message until it is told to die. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrived } from './phones.ts';

/** `hanging` takes requests and answers none; `refusing` has closed its port. */
export type Health = 'well' | 'hanging' | 'refusing';

export interface Gateway {
  readonly port: number;
  become(health: Health): Promise<void>;
  close(): void;
}

/** `arrived` is called for each accepted message; the answer comes after `answerMs`. */
export async function startGateway(arrived: Arrived, answerMs = 0): Promise<Gateway> {
  let taken = 0;
  let health: Health = 'well';
  const server = createServer(async (request, response) => {
    const { to, code } = (await json(request)) as { to: string; code: string };
    if (health !== 'well') return;
    arrived(to, code);
    if (answerMs > 0) await sleep(answerMs);
    response.writeHead(202, { 'content-type': 'application/json' }).end(`{"id":"${taken++}"}`);
  });
  server.keepAliveTimeout = 0;

  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }
  function close(): void {
    server.close();
    server.closeAllConnections();
  }

  const port = await listen(0);
  return {
    port,
    async become(next) {
      health = next;
      if (next === 'refusing') close();
      else if (!server.listening) await listen(port);
    },
    close,
  };
}
