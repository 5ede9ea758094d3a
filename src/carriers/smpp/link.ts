/** One connection to an SMSC, from its bind to its end (SMPP 3.4, section 2). */
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../core/seams/clock.ts';
import type { LinkOptions } from './options.ts';
import { Outstanding, type SmscAnswer } from './outstanding.ts';
import { SubmitPace } from './pace.ts';
import {
  BIND,
  type BindRole,
  decodeDataMessage,
  decodeMessage,
  encodeBind,
  encodeMessage,
  type ReceivedMessage,
  type ShortMessage,
} from './protocol/body.ts';
import {
  COMMAND,
  encodePdu,
  isResponse,
  type Pdu,
  PduReader,
  requestOf,
  responseTo,
} from './protocol/pdu.ts';
import { isThrottled, STATUS } from './protocol/status.ts';
import { type Forgotten, SessionWatch } from './session-watch.ts';

/**
 * Gets each deliver_sm or data_sm, undefined if it cannot be read. Resolves if it is not needed again, rejects if the SMSC must send
 * it again.
 */
export type Deliver = (message: ReceivedMessage | undefined) => Promise<void>;

const NOTHING = Buffer.alloc(0);
/** deliver_sm_resp and data_sm_resp have a message_id. It is empty when sent to an SMSC. */
const EMPTY_MESSAGE_ID = Buffer.alloc(1);
/** Maximum number of deliver_sm and data_sm under way at once. An SMSC that sends more is told to send them again. */
const MAX_DELIVERING = 5_000;
const UNBIND_MS = 1_000;
/** Ends that the SMSC causes. Silence may be due to the network. */
const DROPPED = 'closed by the SMSC';
const UNBOUND = 'unbound by the SMSC';
const DROPS: ReadonlySet<string> = new Set([DROPPED, UNBOUND, 'ECONNRESET', 'EPIPE']);
const REQUEST_NAMES: Readonly<Record<number, string>> = {
  [COMMAND.bindReceiver]: 'bind_receiver',
  [COMMAND.bindTransmitter]: 'bind_transmitter',
  [COMMAND.bindTransceiver]: 'bind_transceiver',
  [COMMAND.enquireLink]: 'enquire_link',
  [COMMAND.unbind]: 'unbind',
};

export class SmppLink {
  /** Resolves with the reason when the connection is gone and every request settled. */
  readonly closed: Promise<string>;
  readonly #clock: Clock;
  readonly #socket: Socket;
  readonly #options: LinkOptions;
  readonly #deliver: Deliver;
  readonly #reader = new PduReader();
  readonly #outstanding = new Outstanding();
  readonly #pace = new SubmitPace();
  readonly #session: SessionWatch;
  /** From the SMSC, of this turn of the event loop. */
  readonly #requests: Pdu[] = [];
  readonly #sweeper: Timer;
  #submitting = 0;
  /** A message is under way alone and takes the whole window. */
  #alone = false;
  #delivering = 0;
  #heardAt: number;
  #probing = false;
  #leaving = false;
  #barren = false;
  #corked = false;
  #reason: string | undefined;

  constructor(clock: Clock, socket: Socket, options: LinkOptions, deliver: Deliver) {
    this.#clock = clock;
    this.#heardAt = clock.steady();
    this.#socket = socket;
    this.#options = options;
    this.#deliver = deliver;
    this.#session = new SessionWatch(options);
    const { bindTimeout, responseTimeout, enquireLink } = options;
    // One timer per link and not per request: thousands of requests a second would need as many timers.
    const sweepMs = Math.min(Math.max(Math.min(bindTimeout, responseTimeout, enquireLink) / 4, 10), 1_000);
    this.#sweeper = clock.every(sweepMs, () => this.#sweep());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#sweeper[Symbol.dispose]();
        this.#reason ??= DROPPED;
        this.#outstanding.abandon('connection lost after submit_sm', DROPS.has(this.#reason));
        resolve(this.#reason);
      });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => this.destroy(error.code ?? error.message));
    socket.on('data', (chunk) => {
      if (typeof chunk !== 'string') this.#read(chunk);
    });
  }

  bind(role: BindRole): Promise<SmscAnswer> {
    return this.#request(BIND[role], this.#options.bindTimeout, (sequence) =>
      encodeBind(sequence, role, this.#options),
    );
  }

  /** Why the link is of no more use; undefined while it is. */
  get ended(): string | undefined {
    return this.#reason;
  }

  get submitting(): number {
    return this.#submitting;
  }

  /**
   * How the link is judged after its end: it has carried messages, was lost with one sent `alone`, or the SMSC knew nothing of
   * its session (`barren`), however long it stood.
   */
  get merit(): 'carried' | 'lost at a suspect' | 'barren' | 'none' {
    if (this.#alone) return 'lost at a suspect';
    if (this.#session.carried) return 'carried';
    return this.#barren ? 'barren' : 'none';
  }

  /** Ms until a submit may go, `alone` or not; Infinity if it has to wait for an answer, or if the link takes no more. */
  wait(now: number, alone: boolean): number {
    const full = this.#alone || this.#submitting >= (alone ? 1 : this.#options.window);
    return full || this.#leaving || this.#reason !== undefined
      ? Number.POSITIVE_INFINITY
      : this.#pace.wait(now);
  }

  /**
   * Sends a submit_sm; call it only if `wait` returns 0. It takes one place in the window until it is answered, or the
   * whole window if it goes `alone`.
   */
  async submit(message: ShortMessage, alone: boolean): Promise<SmscAnswer> {
    this.#pace.take(this.#clock.steady());
    this.#submitting += 1;
    this.#alone = alone;
    const answer = await this.#request(COMMAND.submitSm, this.#options.responseTimeout, (sequence) =>
      encodeMessage(COMMAND.submitSm, sequence, message),
    );
    this.#submitting -= 1;
    if (answer.kind === 'lost') return answer;
    const unbound = answer.kind === 'response' && answer.status === STATUS.invalidBindStatus;
    const worked = this.#session.carried;
    // The message is to blame only for the end of a session that took others.
    this.#alone = alone && unbound && worked;
    if (unbound) return { kind: 'unbound', reason: this.#reason ?? '', worked };
    if (answer.kind === 'response' && isThrottled(answer.status)) this.#pace.slow(this.#clock.steady());
    return answer;
  }

  /** Asks whether the SMSC knows the session. An answer that says no, and none in time, end the link. */
  enquire(timeout = this.#options.responseTimeout): Promise<SmscAnswer> {
    return this.#request(COMMAND.enquireLink, timeout, (sequence) => header(COMMAND.enquireLink, sequence));
  }

  /** Unbinds and closes, within a second even if the SMSC does not answer. */
  async unbind(): Promise<void> {
    this.#leaving = true;
    const timer = this.#clock.after(UNBIND_MS, () => this.destroy('unbound'));
    await this.#request(COMMAND.unbind, this.#options.responseTimeout, (sequence) =>
      header(COMMAND.unbind, sequence),
    );
    timer[Symbol.dispose]();
    this.destroy('unbound');
    await this.closed;
  }

  destroy(reason: string): void {
    this.#reason ??= reason;
    this.#socket.destroy();
  }

  #request(command: number, timeout: number, encode: (sequence: number) => Buffer): Promise<SmscAnswer> {
    if (this.#reason !== undefined) return Promise.resolve({ kind: 'unsent', reason: this.#reason });
    const { sequence, answer } = this.#outstanding.open(command, this.#clock.steady(), timeout);
    this.#write(encode(sequence));
    return answer;
  }

  /** What is written in one turn of the event loop goes out in one system call. */
  #write(pdu: Buffer): void {
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      setImmediate(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(pdu);
  }

  #read(chunk: Buffer): void {
    this.#heardAt = this.#clock.steady();
    const { pdus, broken } = this.#reader.push(chunk);
    for (const pdu of pdus) {
      if (isResponse(pdu.command)) this.#heed(pdu);
      else this.#defer(pdu);
    }
    if (!broken) return;
    this.#write(header(COMMAND.genericNack, 0, STATUS.invalidCommandLength));
    this.#reason ??= 'impossible command_length';
    this.#socket.destroySoon();
  }

  #heed(response: Pdu): void {
    const command = this.#outstanding.answer(response) ?? requestOf(response.command);
    this.#giveUp(this.#session.answered(command, response.status));
  }

  /** Gives the link up if its session is forgotten. Answers that have come with this one still count. */
  #giveUp(forgotten: Forgotten | undefined): void {
    if (forgotten === undefined || this.#reason !== undefined) return;
    this.#barren = forgotten.barren;
    this.destroy(forgotten.reason);
  }

  /**
   * An SMSC under load sends a receipt together with the response that names the message. Requests wait until all that the
   * responses cause has happened: the store then knows the message, and need not keep its receipt as one that came early.
   */
  #defer(request: Pdu): void {
    this.#requests.push(request);
    if (this.#requests.length > 1) return;
    setImmediate(() => {
      for (const pdu of this.#requests.splice(0)) this.#handle(pdu);
    });
  }

  #handle(pdu: Pdu): void {
    switch (pdu.command) {
      case COMMAND.deliverSm:
      case COMMAND.dataSm:
        void this.#receive(pdu);
        return;
      case COMMAND.enquireLink:
        this.#respond(pdu, STATUS.ok);
        return;
      case COMMAND.unbind:
        this.#leaving = true;
        this.#respond(pdu, STATUS.ok);
        this.#reason ??= UNBOUND;
        this.#socket.destroySoon();
        return;
      case COMMAND.alertNotification:
        return;
      default:
        this.#write(header(COMMAND.genericNack, pdu.sequence, STATUS.invalidCommandId));
    }
  }

  async #receive(pdu: Pdu): Promise<void> {
    const decode = pdu.command === COMMAND.dataSm ? decodeDataMessage : decodeMessage;
    const message = decode(pdu.body);
    if (message === undefined) {
      await this.#deliver(message).catch(() => undefined);
      return this.#respond(pdu, STATUS.receiverPermanent, EMPTY_MESSAGE_ID);
    }
    let status: number = STATUS.receiverTemporary;
    if (this.#delivering < MAX_DELIVERING) {
      this.#delivering += 1;
      status = await this.#deliver(message).then(
        () => STATUS.ok,
        () => STATUS.receiverTemporary,
      );
      this.#delivering -= 1;
    }
    this.#respond(pdu, status, EMPTY_MESSAGE_ID);
  }

  #respond({ command, sequence }: Pdu, status: number, body = NOTHING): void {
    if (this.#socket.writable) {
      this.#write(encodePdu({ command: responseTo(command), status, sequence, body }));
    }
  }

  #sweep(): void {
    const now = this.#clock.steady();
    for (const { command, sentAt } of this.#outstanding.expire(now)) {
      if (command !== COMMAND.submitSm) {
        this.destroy(`no answer to ${REQUEST_NAMES[command]}`);
        continue;
      }
      // Nothing was heard since it was sent: the SMSC may be gone and not only slow.
      if (this.#heardAt < sentAt) this.#probe();
      this.#giveUp(this.#session.unanswered(sentAt, now));
    }
    // Closes a socket whose last PDU the SMSC does not read.
    if (this.#reason !== undefined) this.destroy(this.#reason);
    else if (now - this.#heardAt >= this.#options.enquireLink) this.#probe();
  }

  #probe(): void {
    if (this.#probing) return;
    this.#probing = true;
    void this.enquire().then(() => {
      this.#probing = false;
    });
  }
}

function header(command: number, sequence: number, status: number = STATUS.ok): Buffer {
  return encodePdu({ command, status, sequence, body: NOTHING });
}
