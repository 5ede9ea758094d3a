/** A scripted SMS gateway over HTTP, in the test's own process, for carriers of type `http`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../free-port.ts';

/** What the `http` carrier is configured to send here. */
export interface GatewayMessage {
  readonly to: string;
  readonly text: string;
  readonly code: string;
  readonly id: string;
}

/** Answers one message; the default accepts it. */
export type Behaviour = (message: GatewayMessage, response: ServerResponse, request: IncomingMessage) => void;

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  /** Options of a carrier that sends here. */
  readonly carrier: object;
  /** Every message that arrived, in order, whatever the answer was. */
  readonly received: GatewayMessage[];
  behave(behaviour: Behaviour): void;
  /** Stops listening and drops the connections, like a gateway that goes down. */
  close(): Promise<void>;
  open(): Promise<void>;
}

export const accept: Behaviour = (message, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: `ref-${message.id}` }));
};

export const answer =
  (status: number): Behaviour =>
  (_, response) => {
    response.writeHead(status).end();
  };

/** Takes the request and never answers. */
export const hang: Behaviour = () => {};

export async function openGateway(): Promise<Gateway> {
  const received: GatewayMessage[] = [];
  let behaviour = accept;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message: GatewayMessage = JSON.parse(body);
    received.push(message);
    behaviour(message, response, request);
  });

  // Nobody else takes it while the gateway is down.
  const port = await freePort();
  async function open(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  await open();
  const url = `http://127.0.0.1:${port}/sms`;
  return {
    url,
    carrier: {
      type: 'http',
      url,
      json: { to: '{{to}}', text: '{{text}}', code: '{{code}}', id: '{{id}}' },
      reference: 'id',
    },
    received,
    behave(next) {
      behaviour = next;
    },
    close,
    open,
    [Symbol.asyncDispose]: close,
  };
}
