/**
 * Keeps idle connections from costing more than so much memory, and from keeping anybody out: beyond a number of them the
 * oldest makes room for the newest. Busy ones are left alone.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** How many are kept. */
export interface IdleLimits {
  /** On which nothing was asked yet: as many as can come at once and be served. */
  readonly silent: number;
  /** Between two requests. */
  readonly resting: number;
}

/**
 * Watches the connections of a server. They are two crowds: were they one, newcomers that never ask would drive out the clients
 * that do, or those keep newcomers out. Whoever calls must pass every request through the function that is answered.
 */
export function limitIdle(server: Server | TlsServer, limits: IdleLimits): RequestListener {
  const silent = new Crowd(limits.silent);
  const resting = new Crowd(limits.resting);
  /** Before its handshake a connection is another socket than after it; both have the same address. */
  const shaking = new Map<string, Socket>();

  const watch = (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => {
      silent.delete(socket);
      resting.delete(socket);
    });
  };
  server.on('connection', (socket: Socket) => {
    watch(socket);
    const address = addressOf(socket);
    shaking.set(address, socket);
    socket.once('close', () => shaking.delete(address));
  });
  server.on('secureConnection', (socket: Socket) => {
    const before = shaking.get(addressOf(socket));
    if (before !== undefined) silent.delete(before);
    watch(socket);
  });

  function rest(this: ServerResponse): void {
    const { socket } = this.req;
    if (!socket.destroyed) resting.add(socket);
  }
  return ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket);
    resting.delete(socket);
    response.once('close', rest);
  };
}

/** Connections in the order in which they became idle; those that find no room are dropped, the oldest first. */
class Crowd {
  readonly #max: number;
  readonly #sockets = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    if (this.#sockets.size <= this.#max) return;
    const [oldest] = this.#sockets;
    if (oldest === undefined) return;
    this.#sockets.delete(oldest);
    oldest.destroy();
  }

  delete(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
