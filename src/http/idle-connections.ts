/**
 * Keeps idle connections from costing more than so much memory, and from keeping anybody out: beyond a number of them the
 * oldest makes room for the newest. Busy ones are left alone.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Entry, LinkedList } from '../core/linked-list.ts';

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
  const waits = new WeakMap<Socket, Wait>();
  /** Before its handshake a connection is another socket than after it; both have the same address. */
  const shaking = new Map<string, Wait>();

  const watch = (socket: Socket): Wait => {
    const wait = new Wait(socket);
    waits.set(socket, wait);
    wait.join(silent);
    socket.once('close', () => wait.end());
    return wait;
  };
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    shaking.set(address, watch(socket));
    socket.once('close', () => shaking.delete(address));
  });
  server.on('secureConnection', (socket: Socket) => {
    shaking.get(addressOf(socket))?.end();
    watch(socket);
  });

  function rest(this: ServerResponse): void {
    const { socket } = this.req;
    if (!socket.destroyed) waits.get(socket)?.join(resting);
  }
  return ({ socket }: IncomingMessage, response: ServerResponse) => {
    waits.get(socket)?.end();
    response.on('close', rest);
  };
}

/** Connections in the order in which they became idle; those that find no room are dropped, the oldest first. */
class Crowd {
  readonly #max: number;
  readonly #sockets = new LinkedList<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): Entry<Socket> {
    const entry = this.#sockets.add(socket);
    const oldest = this.#sockets.first;
    if (this.#sockets.size > this.#max && oldest !== undefined) {
      this.#sockets.remove(oldest);
      oldest.item.destroy();
    }
    return entry;
  }

  remove(entry: Entry<Socket>): void {
    this.#sockets.remove(entry);
  }
}

/** Where a connection waits for its next request; nowhere while it is busy. */
class Wait {
  readonly #socket: Socket;
  #place: { readonly crowd: Crowd; readonly entry: Entry<Socket> } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  join(crowd: Crowd): void {
    this.end();
    this.#place = { crowd, entry: crowd.add(this.#socket) };
  }

  end(): void {
    this.#place?.crowd.remove(this.#place.entry);
    this.#place = undefined;
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
