/**
 * A connection to the database as a node has it: it speaks when it is its turn, and hears what it is to hear. The session behind it
 * outlives the node where nothing is under way: another one costs a server more than most histories ask of it.
 */
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { asking, type Message, messagesIn, type Question, questionOf } from './protocol.ts';

/** Whose turn it is. */
export interface Turn {
  readonly wire: Wire;
  /** Undefined for the beginning of a connection. */
  readonly question: Question | undefined;
}

/** A session that nobody uses. */
export interface Session {
  readonly pid: number;
  readonly socket: Socket;
  /** What the server said when it was ready for the first question. */
  readonly greeting: Buffer;
}

/** As if it had just begun, but for what functions have planned. */
const AFRESH = 'DEALLOCATE ALL; RESET ALL';

/** What is asked in place of a question, and which messages of the answer are heard. */
export interface Saying {
  readonly says: readonly Message[];
  readonly hears: (message: Message) => readonly Message[];
}

export class Wire extends Duplex {
  /** The server's process, as soon as it is known. */
  pid: number | undefined;
  /** As the server said last: `I` outside of a transaction. */
  status = '';
  /** Whether it waits for its turn. */
  hasAsked = false;
  readonly #wants: (turn: Turn) => void;
  readonly #sessions: Session[];
  readonly #texts = new Map<string, string>();
  #open: (() => Socket) | undefined;
  #socket: Socket | undefined;
  readonly #greeting: Buffer[] = [];
  #asked: Message[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #hears: Saying['hears'] = all;
  #answered: (() => void) | undefined;
  #isKnown = false;
  #isClosed = false;
  #isSilent = false;

  /** `sessions` are those that nobody uses. */
  constructor(wants: (turn: Turn) => void, sessions: Session[]) {
    super();
    this.#wants = wants;
    this.#sessions = sessions;
  }

  /** As a socket does, but in its turn. */
  connect(port: number, host: string): this {
    this.#open = () => connect(port, host).setNoDelay();
    this.#wants({ wire: this, question: undefined });
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Whether it asks nothing, waits for no answer and is in no transaction. */
  get isIdle(): boolean {
    return !this.hasAsked && this.#answered === undefined && this.status === 'I';
  }

  /** The text of a question, also if it was prepared before. */
  textOf({ name, text }: Question): string {
    return text ?? this.#texts.get(name) ?? '';
  }

  /** Until the connection is there. */
  async begin(): Promise<void> {
    const kept = this.#sessions.pop();
    const socket = kept?.socket ?? this.#open?.();
    this.#socket = socket;
    socket?.on('data', (piece: Buffer) => this.#hear(piece));
    socket?.on('error', (error) => this.destroy(error));
    socket?.on('close', () => this.destroy());
    if (kept === undefined) {
      socket?.on('connect', () => this.emit('connect'));
      return await this.#untilAnswered(all);
    }
    this.status = 'I';
    await this.ask({ says: [asking(AFRESH)], hears: () => [] });
    // The server knows who we are: its greeting is repeated in its name.
    this.status = '';
    this.#hears = all;
    this.#isKnown = true;
    this.emit('connect');
    this.#hear(kept.greeting);
  }

  /** Until it is answered, or the connection has ended. `before` is plain SQL whose answer nobody hears. */
  ask({ says, hears }: Saying, before?: string): Promise<void> {
    this.hasAsked = false;
    const pieces = before === undefined ? says : [asking(before), ...says];
    let skipped = before !== undefined;
    const answered = this.#untilAnswered((message) => {
      if (!skipped) return hears(message);
      skipped = message.type !== 'Z';
      return [];
    }, pieces.filter(isEnd).length);
    this.#socket?.write(Buffer.concat(pieces.map(({ bytes }) => bytes)));
    return answered;
  }

  /**
   * The node is gone. Its session is kept if nothing is under way; otherwise it ends, and the node hears nothing of it. Answers the process
   * of the server that is to end.
   */
  leave(): number | undefined {
    if (this.#isClosed) return undefined;
    if (this.#keepSession()) {
      // The pool hears of it, and forgets when it was to close this one.
      this.destroy(new Error('the process is gone'));
      return undefined;
    }
    this.#isSilent = true;
    this.#close();
    return this.pid;
  }

  /** For another node, unless something is under way. */
  #keepSession(): boolean {
    const socket = this.#socket;
    const { pid } = this;
    if (!this.isIdle || socket === undefined || pid === undefined) return false;
    socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
    socket.on('error', () => {});
    this.#socket = undefined;
    this.#sessions.push({ pid, socket, greeting: Buffer.concat(this.#greeting) });
    return true;
  }

  override _read(): void {}

  override _write(piece: Buffer, _: BufferEncoding, done: () => void): void {
    this.#say(piece);
    done();
  }

  override _writev(pieces: { readonly chunk: Buffer }[], done: () => void): void {
    this.#say(Buffer.concat(pieces.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: () => void): void {
    if (!this.#keepSession()) this.#socket?.end();
    done();
    this.destroy();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close();
    if (!this.#isSilent) done(error);
  }

  #close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
    this.#answered?.();
  }

  #say(piece: Buffer): void {
    if (this.#isClosed) return;
    // Until the server is ready for the first question, what is said is a matter of these two.
    if (this.status === '' || piece[0] === END) {
      // Nor does the server hear of an end: its session may be kept.
      if (this.status === '' && !this.#isKnown) this.#socket?.write(piece);
      return;
    }
    this.#asked.push(...messagesIn(piece));
    if (!this.#asked.some(isEnd)) return;
    const question = questionOf(this.#asked.splice(0));
    if (question.name !== '' && question.text !== undefined) this.#texts.set(question.name, question.text);
    this.hasAsked = true;
    this.#wants({ wire: this, question });
  }

  #untilAnswered(hears: Saying['hears'], answers = 1): Promise<void> {
    let left = answers;
    this.#hears = (message) => {
      const heard = hears(message);
      if (message.type === 'Z') left -= 1;
      return heard;
    };
    return new Promise((resolve) => {
      this.#answered = () => {
        if (left > 0 && !this.#isClosed) return;
        this.#answered = undefined;
        resolve();
      };
    });
  }

  #hear(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const heard: Buffer[] = [];
    let [read, isReady] = [0, false];
    for (const message of messagesIn(bytes)) {
      read += message.bytes.length;
      if (this.status === '' && !isRequestForPassword(message)) this.#greeting.push(message.bytes);
      if (message.type === 'K') this.pid = message.bytes.readInt32BE(5);
      if (message.type === 'Z') {
        this.status = String.fromCharCode(message.bytes[5] ?? 0);
        isReady = true;
      }
      for (const each of this.#hears(message)) heard.push(each.bytes);
    }
    this.#rest = bytes.subarray(read);
    if (heard.length > 0 && !this.#isClosed) this.push(Buffer.concat(heard));
    if (isReady) this.#answered?.();
  }
}

/** Of all about who we are only what says that we are let in is greeting. */
const isRequestForPassword = ({ type, bytes }: Message) => type === 'R' && bytes.readInt32BE(5) !== 0;
const END = 'X'.charCodeAt(0);
const isEnd = ({ type }: Message) => type === 'Q' || type === 'S';
const all = (message: Message): readonly Message[] => [message];
