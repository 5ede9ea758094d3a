/** One kept connection, over which one request after the other is made. */
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { socketErrorCode } from './dial.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HttpAnswer extends Head {
  readonly kind: 'answered';
  /** Undefined if it was longer than 64 KiB; the rest was not read. */
  readonly body: string | undefined;
}

/** There was no whole answer. */
export interface ExchangeFailure {
  readonly kind: 'failed';
  /** What went wrong, in the words of the system or of undici. It never contains anything of the request. */
  readonly code: string;
  /** How far it came: nothing was written; the request was, and may have been read; an answer had begun. */
  readonly stage: 'unsent' | 'sent' | 'answering';
  /** The connection had been used before, and is closed now. */
  readonly lost: boolean;
  /** It had lain idle: perhaps the peer closed it before this came. */
  readonly wasIdle: boolean;
}

export const CLOSED = 'ERR_CLOSED';

const MAX_BODY = 64 * 1024;
/** Made once: to make one takes longer than to read an answer. */
const TEXT = new TextDecoder();

const OPTIONS = {
  // One request at a time: behind one that hangs, others would hang as well.
  pipelining: 1,
  // Whoever makes a request says how long it may take, by a clock of their own.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Kept until the peer closes it, or announces to (`Keep-Alive: timeout=`), less the way that its close takes to us. After undici's
  // 4 s nearly every message of a small installation would need a handshake.
  keepAliveTimeout: 600_000,
  keepAliveTimeoutThreshold: 1_000,
};

export class Connection {
  readonly kind = 'connected';
  readonly #socket: Socket;
  readonly #client: Client;
  readonly #release: (connection: Connection) => void;
  #isUsed = false;
  /** It lay idle before whoever has it now took it. Who waited for it gets it without that. */
  isIdle = false;

  /** `release` is called after each exchange. */
  constructor(origin: URL, socket: Socket, release: (connection: Connection) => void) {
    this.#socket = socket;
    this.#release = release;
    const closed = Object.assign(new Error('the connection was closed'), { code: CLOSED });
    this.#client = new Client(origin.origin, {
      ...OPTIONS,
      // Never another one in its place: what failed on which connection decides whether it may be repeated. (The error has a code of
      // ours, as undici would ask again at once after some of its own. It does not notice what comes in the same turn.)
      connect: (_, callback) =>
        queueMicrotask(() => (socket.destroyed ? callback(closed, null) : callback(null, socket))),
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** `onHead` hears of an answer before its body is there. When the signal is aborted, the connection is closed. */
  async exchange(
    { method, path, headers, body }: Request,
    signal: AbortSignal,
    onHead?: (head: Head) => void,
  ): Promise<HttpAnswer | ExchangeFailure> {
    const underWay = new UnderWay(this.#socket, this.#isUsed, this.isIdle, onHead);
    if (signal.aborted) underWay.abort();
    signal.addEventListener('abort', underWay.abort, { once: true });
    this.#client.dispatch({ method, path, headers, body: body ?? null }, underWay);
    try {
      return await underWay.end;
    } finally {
      signal.removeEventListener('abort', underWay.abort);
      if (underWay.stage !== 'unsent') this.#isUsed = true;
      // By now undici has closed it if the peer does not want to keep it.
      this.#release(this);
    }
  }
}

/** An exchange, as undici tells of it. */
class UnderWay implements Dispatcher.DispatchHandler {
  readonly end: Promise<HttpAnswer | ExchangeFailure>;
  stage: ExchangeFailure['stage'] = 'unsent';
  readonly #resolve: (end: HttpAnswer | ExchangeFailure) => void;
  readonly #socket: Socket;
  readonly #wasUsed: boolean;
  readonly #wasIdle: boolean;
  readonly #onHead: ((head: Head) => void) | undefined;
  #head: Head = { status: 0, headers: {} };
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    socket: Socket,
    wasUsed: boolean,
    wasIdle: boolean,
    onHead: ((head: Head) => void) | undefined,
  ) {
    ({ promise: this.end, resolve: this.#resolve } = Promise.withResolvers<HttpAnswer | ExchangeFailure>());
    this.#socket = socket;
    this.#wasUsed = wasUsed;
    this.#wasIdle = wasIdle;
    this.#onHead = onHead;
  }

  readonly abort = () => {
    // Before undici notices: to it, a body without a length is whole when its connection is closed.
    this.#fail(CLOSED);
    this.#socket.destroy();
  };

  /** In the same turn it is written. */
  onRequestStart() {
    this.stage = 'sent';
  }

  onResponseStarted() {
    this.stage = 'answering';
  }

  onResponseStart(_: unknown, status: number, headers: Head['headers']) {
    if (status < 200) return;
    this.#head = { status, headers };
    this.#onHead?.(this.#head);
  }

  onResponseData(_: unknown, chunk: Buffer) {
    this.#size += chunk.length;
    if (this.#size <= MAX_BODY) {
      this.#chunks.push(chunk);
      return;
    }
    this.#resolve({ kind: 'answered', ...this.#head, body: undefined });
    this.#socket.destroy();
  }

  onResponseEnd() {
    this.#resolve({ kind: 'answered', ...this.#head, body: TEXT.decode(Buffer.concat(this.#chunks)) });
  }

  onResponseError(_: unknown, error: Error) {
    const code = socketErrorCode(error);
    // The peer closed it; whether with or without a reset says nothing to anybody.
    this.#fail(code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code);
  }

  #fail(code: string): void {
    const lost = this.#wasUsed && this.#socket.destroyed;
    this.#resolve({ kind: 'failed', code, stage: this.stage, lost, wasIdle: this.#wasIdle });
  }
}
