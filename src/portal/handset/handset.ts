/**
 * The simulator's telephones as streams of events: each account that is watched is looked at once, however many watch. They
 * show what test keys send. A live key may be routed to the simulator too, while carriers are tried out or by a mistake; its
 * codes are of people, and nobody's to read here.
 */
import { Readable } from 'node:stream';
import type { OutgoingMessage } from '../../core/carrier.ts';
import type { SealedMessage } from '../../core/delivery.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import { StoreFailure } from '../../core/errors.ts';
import type { Inbox } from '../../core/inbox.ts';
import { coverCode } from '../../core/message.ts';
import { formatInstant } from '../instant.ts';
import type { HandsetMessage } from './contract.ts';

export interface HandsetDeps {
  readonly inbox: Inbox;
  readonly open: (sealed: SealedMessage) => OutgoingMessage;
  /** A failure that is none of the store's being away; those are waited out. */
  readonly onError: (error: unknown) => void;
}

/** How often an account's inbox is looked at, in ms: a message must show within a second, on any node. */
const LOOK_MS = 400;
/** What a look sees; more that arrive between two looks are not shown. */
const NEWEST = 100;
/** What whoever begins to watch is shown of before. */
const HISTORY = 20;
const HEARTBEAT_MS = 15_000;
/** Streams at most: in all, and of one account. */
const MAX_STREAMS = 500;
const MAX_OF_ACCOUNT = 50;
/** A client that reads so slowly is cut off; it resumes where it was. */
const MAX_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 1_000;
/** Messages of different nodes may become visible out of their order by so much. */
const DISORDER_MS = 2_000;

/** What a stream shows: all of a message, or all but its number and its code. */
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
   * Events of an account: the newest messages, then each as it arrives. With the id of the last event that was seen, what
   * came after it; some that came just before are told again, so a client knows messages by their id. Undefined when
   * too many watch already.
   */
  stream(accountId: string, view: View, lastEventId: string | undefined): HandsetStream | undefined {
    const watch = this.#watches.get(accountId) ?? new Watch(this.#deps, accountId);
    if (this.#streams >= MAX_STREAMS || watch.streams.size >= MAX_OF_ACCOUNT) return undefined;
    this.#watches.set(accountId, watch);
    this.#streams += 1;
    const stream = new HandsetStream(view, lastEventId);
    stream.once('close', () => {
      this.#streams -= 1;
      watch.remove(stream);
      if (watch.streams.size === 0 && this.#watches.get(accountId) === watch) this.#watches.delete(accountId);
    });
    watch.add(stream);
    return stream;
  }

  /** Ends every stream, so that a stop waits for none. */
  close(): void {
    for (const { streams } of this.#watches.values()) {
      for (const stream of streams) stream.end();
    }
  }
}

/** Looks at the inbox of one account while anybody watches it. */
class Watch {
  readonly streams = new Set<HandsetStream>();
  readonly #deps: HandsetDeps;
  readonly #accountId: string;
  /** What the last look saw, oldest first. */
  #seen: ReadonlyMap<string, Arrived> | undefined;
  #timer: NodeJS.Timeout | undefined;

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
    if (this.streams.size === 0) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      this.#seen = await this.#read(this.#seen);
      for (const stream of this.streams) stream.show(this.#seen);
    } catch (error) {
      if (!(error instanceof StoreFailure)) this.#deps.onError(error);
    }
    if (this.streams.size > 0) this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #read(known: ReadonlyMap<string, Arrived> | undefined): Promise<ReadonlyMap<string, Arrived>> {
    const entries = await this.#deps.inbox.list(this.#accountId, null, NEWEST);
    const arrived = entries.flatMap((entry): Arrived[] => {
      if (!entry.test) return [];
      return [known?.get(entry.id) ?? show(this.#deps.open(entry), entry.at)];
    });
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

/** Server-sent events (HTML, section 9.2) of one client. */
class HandsetStream extends Readable {
  readonly #view: View;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #resume: { readonly after: number; readonly id: string } | undefined;
  /** What the last look saw, all of which was sent; undefined before the first. */
  #shown: ReadonlyMap<string, Arrived> | undefined;
  #hasEnded = false;

  constructor(view: View, lastEventId: string | undefined) {
    super({ highWaterMark: MAX_UNREAD_BYTES });
    this.#view = view;
    const [, at, id] = /^(\d{1,15})\.(ver_[0-9a-f]{32})$/.exec(lastEventId ?? '') ?? [];
    if (at !== undefined && id !== undefined) this.#resume = { after: Number(at) - DISORDER_MS, id };
    this.#heartbeat = setInterval(() => this.#send(':\n\n'), HEARTBEAT_MS);
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
    clearInterval(this.#heartbeat);
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
