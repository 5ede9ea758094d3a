/** A connection to the database as a node has it: it speaks when it is its turn, and hears what it is to hear. */
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { asking, type Message, messagesIn, type Question, questionOf } from './protocol.ts';

/** Whose turn it is. */
export interface Turn {
  readonly wire: Wire;
  /** Undefined for the beginning of a connection. */
  readonly question: Question | undefined;
}

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
  readonly #wants: (turn: Turn) => void;
  readonly #texts = new Map<string, string>();
  #begin: (() => Socket) | undefined;
  #socket: Socket | undefined;
  #asked: Message[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #hears: Saying['hears'] = all;
  #answered: (() => void) | undefined;
  #isClosed = false;
  #isSilent = false;

  constructor(wants: (turn: Turn) => void) {
    super();
    this.#wants = wants;
  }

  /** As a socket does, but in its turn. */
  connect(port: number, host: string): this {
    this.#begin = () => connect(port, host);
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

  /** Whether it waits for no answer and is in no transaction. */
  get isIdle(): boolean {
    return this.#asked.length === 0 && this.#answered === undefined && this.status === 'I';
  }

  /** The text of a question, also if it was prepared before. */
  textOf({ name, text }: Question): string {
    return text ?? this.#texts.get(name) ?? '';
  }

  /** Until the connection is there. */
  begin(): Promise<void> {
    const answered = this.#untilAnswered(all);
    const socket = this.#begin?.();
    this.#socket = socket?.setNoDelay();
    socket?.on('connect', () => this.emit('connect'));
    socket?.on('data', (piece: Buffer) => this.#hear(piece));
    socket?.on('error', (error) => this.destroy(error));
    socket?.on('close', () => this.destroy());
    return answered;
  }

  /** Until it is answered, or the connection has ended. `before` is plain SQL whose answer nobody hears. */
  ask({ says, hears }: Saying, before?: string): Promise<void> {
    this.#asked = [];
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

  /** The connection ends, and the node hears nothing of it: it is gone itself. */
  silence(): void {
    this.#isSilent = true;
    this.#close();
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
    this.#socket?.end();
    done();
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
      this.#socket?.write(piece);
      return;
    }
    this.#asked.push(...messagesIn(piece));
    if (!this.#asked.some(isEnd)) return;
    const question = questionOf(this.#asked);
    if (question.name !== '' && question.text !== undefined) this.#texts.set(question.name, question.text);
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

const END = 'X'.charCodeAt(0);
const isEnd = ({ type }: Message) => type === 'Q' || type === 'S';
const all = (message: Message): readonly Message[] => [message];
