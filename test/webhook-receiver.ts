/** A server that webhooks are sent to, on this machine: for services that allow `LOOPBACK`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** For `webhooks.privateNetworks`. */
export const LOOPBACK = ['127.0.0.0/8'];

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it is about, without checking who sent it. */
  readonly type: string;
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Answers with this status from now on. */
  answer(status: number): void;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ headers, body, type: JSON.parse(body).type });
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (next) => {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
