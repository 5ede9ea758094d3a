/**
 * Bounds the memory that idle connections take. Beyond a limit the oldest makes room for the newest, so nobody is kept out.
 * Busy connections are left alone.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { LinkedList, type ListEntry } from '../../core/sending/linked-list.ts';

export interface IdleLimits {
  /** Connections without any request yet: as many as can arrive at once and be served. */
  readonly silent: number;
  /** Connections between two requests. */
  readonly resting: number;
}

/**
 * Watches the connections of a server. Silent and resting ones are counted apart: otherwise newcomers that never send a
 * request would drive out the clients that do, or the other way round. The caller must pass every request to the result.
 */
export function limitIdle(server: Server | TlsServer, limits: IdleLimits): RequestListener {
  const silent = new Silent(limits.silent);
  const clients = new Clients(limits.resting);
  const known = new WeakMap<Socket, Client>();
  /**
   * Places among the silent ones by address: a connection has one socket before its handshake and another after it, with the
   * same address. Only what has asked gets into the WeakMap, which slows the collection of everything in it.
   */
  const waiting = new Map<string, ListEntry<Socket>>();
  const leave = (address: string) => {
    const place = waiting.get(address);
    if (place !== undefined) silent.remove(place);
  };

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    waiting.set(address, silent.add(socket));
    socket.once('close', () => waiting.delete(address));
  });
  server.on('secureConnection', (socket: Socket) => {
    const address = addressOf(socket);
    leave(address);
    waiting.set(address, silent.add(socket));
  });

  function rest(this: ServerResponse): void {
    const client = known.get(this.req.socket);
    if (client !== undefined) clients.rest(client);
  }
  return ({ socket }: IncomingMessage, response: ServerResponse) => {
    let client = known.get(socket);
    if (client === undefined) {
      leave(addressOf(socket));
      client = clients.add(socket);
      known.set(socket, client);
    }
    clients.wake(client);
    response.on('close', rest);
  };
}

/** Connections without any request yet, oldest first. */
class Silent {
  readonly #max: number;
  readonly #sockets = new LinkedList<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): ListEntry<Socket> {
    const place = this.#sockets.add(socket);
    socket.once('close', () => this.remove(place));
    const oldest = this.#sockets.first;
    if (this.#sockets.size > this.#max && oldest !== undefined) {
      this.remove(oldest);
      oldest.item.destroy();
    }
    return place;
  }

  remove(place: ListEntry<Socket>): void {
    this.#sockets.remove(place);
  }
}

/** A connection that has sent a request. */
interface Client {
  readonly socket: Socket;
  /** Counts up as connections come to rest; undefined while this one is busy or gone. */
  restsSince: number | undefined;
}

/** The one that rested longest is looked for only when one must go: keeping them in order would cost every request. */
class Clients {
  readonly #max: number;
  readonly #clients = new LinkedList<Client>();
  #resting = 0;
  #turn = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): Client {
    const client: Client = { socket, restsSince: undefined };
    const entry = this.#clients.add(client);
    socket.once('close', () => {
      this.wake(client);
      this.#clients.remove(entry);
    });
    return client;
  }

  wake(client: Client): void {
    if (client.restsSince === undefined) return;
    client.restsSince = undefined;
    this.#resting -= 1;
  }

  rest(client: Client): void {
    if (client.socket.destroyed) return;
    if (client.restsSince === undefined) this.#resting += 1;
    this.#turn += 1;
    client.restsSince = this.#turn;
    if (this.#resting > this.#max) this.#dropOldest();
  }

  #dropOldest(): void {
    let oldest: Client | undefined;
    for (const client of this.#clients) {
      if ((client.restsSince ?? Infinity) < (oldest?.restsSince ?? Infinity)) oldest = client;
    }
    if (oldest === undefined) return;
    this.wake(oldest);
    oldest.socket.destroy();
  }
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
