/** A scripted gateway: a real HTTP server that records requests and answers as told, well or badly. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { closed } from '../closed.ts';

export interface GatewayRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the gateway does with a request once it has read it whole. */
export type Reaction = (response: ServerResponse) => void;

export interface Gateway {
  readonly url: string;
  readonly requests: readonly GatewayRequest[];
  /** Connections accepted since the start. */
  readonly connections: number;
  /** Uses these reactions one after the other, and keeps the last one. */
  play(first: Reaction, ...next: readonly Reaction[]): void;
  /** Resolves when no connection is open. */
  vacant(): Promise<void>;
  /** Closes every connection and stops listening until it is opened again at the same address. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

/** How requests are answered that are none of the script's, and are not recorded; undefined for all others. */
export type Apart = (path: string) => Reaction | undefined;

/** Listens on a free port of the loopback, with TLS if there is a certificate. */
export async function startGateway(
  tls?: { readonly key: string; readonly cert: string },
  apart?: Apart,
): Promise<Gateway> {
  const requests: GatewayRequest[] = [];
  let script: readonly Reaction[] = [];
  let connections = 0;

  const listener: RequestListener = async (request, response) => {
    try {
      const body = (await buffer(request)).toString();
      const reaction = apart?.(request.url ?? '');
      if (reaction !== undefined) return reaction(response);
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    } catch {
      return; // The client went away.
    }
    const [reaction, ...rest] = script;
    if (rest.length > 0) script = rest;
    reaction?.(response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // Only the carrier or the script closes connections, never a timeout.
  server.keepAliveTimeout = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    play(...reactions) {
      script = reactions;
    },
    async vacant() {
      await Promise.all(Array.from(open, (socket) => closed(socket)));
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async reopen() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Reaction {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, headers).end(text);
}

export const hang: Reaction = () => {};

export const reset: Reaction = (response) => response.socket?.resetAndDestroy();

/** Promises a body, sends a part of it and resets the connection. */
export function resetMidAnswer(status: number): Reaction {
  return (response) => {
    response.writeHead(status, { 'content-length': '1000' });
    response.write('{"id":', () => response.socket?.resetAndDestroy());
  };
}

/** Sends a byte of a body every few milliseconds and never ends it. */
export function trickle(status: number): Reaction {
  return (response) => {
    response.writeHead(status);
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };
}

/** A body of many megabytes that never ends. */
export function flood(status: number): Reaction {
  return (response) => {
    response.writeHead(status);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let left = 1_000;
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(chunk)) return response.once('drain', pour);
      }
      return undefined;
    };
    pour();
  };
}

/** Bytes that are not HTTP. */
export const gibberish: Reaction = (response) => response.socket?.end('\u0000not http at all\r\n\r\n');
