/**
 * The simulator's telephones as streams of events. The inbox of an account is read once for everyone who watches it. Only
 * messages of test keys are shown. Live keys may be routed to the simulator too, as a trial or by mistake, but their codes
 * belong to real people.
 */
import { Readable } from 'node:stream';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import { StoreFailure } from '../../core/errors/store-failure.ts';
import { coverCode } from '../../core/message/message.ts';
import type { Clock, Timer } from '../../core/seams/clock.ts';
import type { OutgoingMessage } from '../../core/sending/carrier.ts';
import type { SealedMessage } from '../../core/sending/delivery.ts';
import type { Inbox } from '../../core/verification/reading/inbox.ts';
import { formatInstant } from '../../operations/instant.ts';
import type { HandsetMessage } from './contract.ts';

export interface HandsetDeps {
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly open: (sealed: SealedMessage) => OutgoingMessage;
  /** Called for unexpected errors. While the store is down, the streams wait. */
  readonly onError: (error: unknown) => void;
}

/** How often an account's inbox is read, in ms: a message must appear within a second, on any node. */
const LOOK_MS = 400;
/** Messages in one look; if more arrive between two looks, the oldest are not shown. */
const NEWEST = 100;
/** Earlier messages that a new stream shows. */
const HISTORY = 20;
const HEARTBEAT_MS = 15_000;
/** The most streams in total, and of one account. */
const MAX_STREAMS = 500;
const MAX_OF_ACCOUNT = 50;
/** A client with more unread bytes is cut off; it can resume where it was. */
const MAX_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 1_000;
/** How far messages of different nodes may become visible out of order, in ms. */
const DISORDER_MS = 2_000;

/** The whole message, or all of it except number and code. */
export type View = 'whole' | 'covered';

type Arrived = Readonly<Record<View, HandsetMessage>> & {
  /** Unix ms. */
  readonly at: number;
};

export class Handsets {
  readonly #deps: HandsetDeps;
  readonly #watches = new Map<string, Watch>();
  #streams = 0;

  constructor(deps: HandsetDeps) {
    this.#deps = deps;
  }

  /**
   * Events of an account: the newest messages, then each one as it arrives. With the id of the last event seen, it starts
   * after that, and repeats a few earlier ones, which a client recognises by id. Undefined if there are too many streams.
   */
  stream(accountId: string, view: View, lastEventId: string | undefined): HandsetStream | undefined {
    const watch = this.#watches.get(accountId) ?? new Watch(this.#deps, accountId);
    if (this.#streams >= MAX_STREAMS || watch.streams.size >= MAX_OF_ACCOUNT) return undefined;
    this.#watches.set(accountId, watch);
    this.#streams += 1;
    const stream = new HandsetStream(this.#deps.clock, view, lastEventId);
    stream.once('close', () => {
      this.#streams -= 1;
      watch.remove(stream);
      if (watch.streams.size === 0 && this.#watches.get(accountId) === watch) this.#watches.delete(accountId);
    });
    watch.add(stream);
    return stream;
  }

  /** Ends every stream, so that a stop does not wait for them. */
  close(): void {
    for (const { streams } of this.#watches.values()) {
      for (const stream of streams) stream.end();
    }
  }
}

/** Reads the inbox of one account while anyone watches it. */
class Watch {
  readonly streams = new Set<HandsetStream>();
  readonly #deps: HandsetDeps;
  readonly #accountId: string;
  /** What the last look saw, oldest first. */
  #seen: ReadonlyMap<string, Arrived> | undefined;
  #timer: Timer | undefined;

  constructor(deps: HandsetDeps, accountId: string) {
    this.#deps = deps;
    this.#accountId = accountId;
  }

  add(stream: HandsetStream): void {
    this.streams.add(stream);
    if (this.#seen !== undefined) stream.show(this.#seen);
    if (this.streams.size === 1) void this.#look();
  }

  remove(stream: HandsetStream): void {
    this.streams.delete(stream);
    if (this.streams.size === 0) this.#timer?.[Symbol.dispose]();
  }

  async #look(): Promise<void> {
    try {
      this.#seen = await this.#read(this.#seen);
      for (const stream of this.streams) stream.show(this.#seen);
    } catch (error) {
      if (!(error instanceof StoreFailure)) this.#deps.onError(error);
    }
    if (this.streams.size > 0) this.#timer = this.#deps.clock.after(LOOK_MS, () => void this.#look());
  }

  async #read(known: ReadonlyMap<string, Arrived> | undefined): Promise<ReadonlyMap<string, Arrived>> {
    const scope = { accountId: this.#accountId, test: true };
    const { clock, inbox } = this.#deps;
    const entries = await inbox.list(scope, null, NEWEST, clock.wall());
    const arrived = entries.map((entry) => known?.get(entry.id) ?? show(this.#deps.open(entry), entry.at));
    arrived.sort((a, b) => a.at - b.at);
    return new Map(arrived.map((each) => [each.whole.id, each]));
  }
}

function show(
  { id, destination: { address }, channel, locale, text, code }: OutgoingMessage,
  at: number,
): Arrived {
  const shared = { id, channel, locale, at: formatInstant(at) };
  const covered = {
    destination: maskDestination(address),
    text: coverCode({ text, code, locale }),
    code: null,
  };
  return { at, whole: { ...shared, destination: address, text, code }, covered: { ...shared, ...covered } };
}

/** Server-sent events (HTML, section 9.2) for one client. */
class HandsetStream extends Readable {
  readonly #view: View;
  readonly #heartbeat: Timer;
  readonly #resume: { readonly after: number; readonly id: string } | undefined;
  /** What the last look saw, all of it sent; undefined before the first. */
  #shown: ReadonlyMap<string, Arrived> | undefined;
  #hasEnded = false;

  constructor(clock: Pick<Clock, 'every'>, view: View, lastEventId: string | undefined) {
    super({ highWaterMark: MAX_UNREAD_BYTES });
    this.#view = view;
    const [, at, id] = /^(\d{1,15})\.(ver_[0-9a-f]{32})$/.exec(lastEventId ?? '') ?? [];
    if (at !== undefined && id !== undefined) this.#resume = { after: Number(at) - DISORDER_MS, id };
    this.#heartbeat = clock.every(HEARTBEAT_MS, () => this.#send(':\n\n'));
    this.#send(`retry: ${RETRY_MS}\n\n`);
  }

  show(seen: ReadonlyMap<string, Arrived>): void {
    const shown = this.#shown;
    this.#shown = seen;
    for (const { at, [this.#view]: message } of shown === undefined ? this.#history(seen) : seen.values()) {
      if (shown?.has(message.id)) continue;
      this.#send(`event: message\nid: ${at}.${message.id}\ndata: ${JSON.stringify(message)}\n\n`);
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.push(null);
  }

  override _read(): void {}

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#heartbeat[Symbol.dispose]();
    callback(error);
  }

  #history(seen: ReadonlyMap<string, Arrived>): Arrived[] {
    const all = [...seen.values()];
    const resume = this.#resume;
    if (resume === undefined) return all.slice(-HISTORY);
    return all.filter(({ at, whole }) => at > resume.after && whole.id !== resume.id);
  }

  #send(event: string): void {
    if (!this.#hasEnded && !this.destroyed && !this.push(event)) this.destroy();
  }
}
