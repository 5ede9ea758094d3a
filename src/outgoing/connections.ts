/**
 * Kept connections to one origin, at most so many. Whoever takes one has it for one exchange, or closes it. Whoever finds none waits
 * for the next that is given back, in the order in which they came.
 *
 * Not undici's Pool: it does not say when there is a connection, nor whether the one that failed had been used before.
 */
import type { Socket } from 'node:net';
import { CLOSED, Connection, type ExchangeFailure } from './connection.ts';
import { connected, createDial, type Dial, type DialOptions, socketErrorCode } from './dial.ts';

export interface ConnectionsOptions extends DialOptions {
  /** How many there may be. */
  readonly connections: number;
}

type Taken = Connection | ExchangeFailure;

interface Waiting {
  readonly signal: AbortSignal;
  readonly resolve: (taken: Taken | Promise<Taken>) => void;
}

export class Connections {
  readonly #origin: URL;
  readonly #most: number;
  readonly #dial: Dial;
  /** Open, or being opened. */
  readonly #sockets = new Set<Socket>();
  /** The one used last is taken first: it is the least likely to have been closed. */
  #free: Connection[] = [];
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor(origin: URL, { connections, ...dial }: ConnectionsOptions) {
    this.#origin = origin;
    this.#most = connections;
    this.#dial = createDial(origin, dial);
  }

  /** A connection, free or new. Fails if none can be opened, or the signal is aborted first. */
  async take(signal: AbortSignal): Promise<Taken> {
    if (signal.aborted || this.#isClosed) return unsent(CLOSED);
    const kept = this.#free.pop();
    if (kept !== undefined) return kept;
    return await (this.#sockets.size < this.#most ? this.#open(signal) : this.#wait(signal));
  }

  /** Connects, completes the TLS handshake and disconnects, whoever else is connected. Rejects as sockets do. */
  async probe(signal: AbortSignal): Promise<void> {
    const socket = this.#dial();
    await connected(socket, signal);
    socket.destroy();
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting) resolve(unsent(CLOSED));
    this.#waiting.clear();
    for (const socket of this.#sockets) socket.destroy(Object.assign(new Error('closed'), { code: CLOSED }));
  }

  async #open(signal: AbortSignal): Promise<Taken> {
    const socket = this.#dial();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#free = this.#free.filter(({ isOpen }) => isOpen);
      const next = this.#next();
      next?.resolve(this.#open(next.signal));
    });
    try {
      await connected(socket, signal);
    } catch (error) {
      return unsent(socketErrorCode(error));
    }
    return new Connection(this.#origin, socket, this.#giveBack);
  }

  async #wait(signal: AbortSignal): Promise<Taken> {
    const { promise, resolve } = Promise.withResolvers<Taken>();
    const waiting = { signal, resolve };
    const giveUp = () => {
      this.#waiting.delete(waiting);
      resolve(unsent(CLOSED));
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    return await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  readonly #giveBack = (connection: Connection) => {
    // Without it, its place is given away when it is gone.
    if (!connection.isOpen) return;
    const next = this.#next();
    connection.isIdle = next === undefined;
    if (next === undefined) this.#free.push(connection);
    else next.resolve(connection);
  };

  /** Who has waited longest, and waits no longer. */
  #next(): Waiting | undefined {
    const [next] = this.#waiting;
    if (next !== undefined) this.#waiting.delete(next);
    return next;
  }
}

function unsent(code: string): ExchangeFailure {
  return { kind: 'failed', code, stage: 'unsent', lost: false, wasIdle: false };
}
