/**
 * Keeps what the guard learns in the store, for the next start, and tells it to the other nodes. Requests never wait for it:
 * what the store does not take now, it gets a second later.
 */

import { describeError } from '../../core/errors/error-facts.ts';
import { type Clock, sleep, type Timer } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { Records, Step } from '../../core/sql/records.ts';
import type { Guard } from '../guard.ts';
import type { Share } from '../sharing.ts';
import { decodeShare, encodeShare } from './encoding.ts';
import {
  BASELINE_BUCKET,
  forgetNews,
  KEPT_AT_ONCE,
  KEPT_BUCKETS,
  keepBucket,
  readKept,
  readNews,
  readNewsCounter,
  readWrittenAt,
  tellNews,
} from './kept-memory.ts';

/** What one node learns, another knows two rounds later at most: within two seconds, with the time that the store takes. */
const EVERY_MS = 900;
/** So many buckets are written in a round: in half a minute, all of them. What changed in one is written 45 seconds later, or soon after. */
const BUCKETS_AT_ONCE = 2;
const REWRITTEN_AFTER_MS = 45_000;
/** What changed before is in a bucket that another node writes now: it was told. */
const TOLD_WITHIN_MS = 5_000;
/** Between two times that old news are deleted; they are then one to two times as old. */
const NEWS_KEPT_MS = 60_000;
/** When the service stops. */
const LAST_WRITE_MS = 5_000;
const LAST_BUCKETS_AT_ONCE = 8;

interface MemoryKeeperDeps {
  readonly guard: Pick<Guard, 'absorb' | 'advance' | 'snapshot' | 'takeChanges' | 'takeTouched' | 'baseline'>;
  readonly records: Records;
  /** Whether other nodes use the store, too. */
  readonly shared: boolean;
  /** The time of the guard, Unix ms. */
  readonly now: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export class MemoryKeeper implements AsyncDisposable {
  readonly #deps: MemoryKeeperDeps;
  /** A node is new with each start: what it told before counts as what others told. */
  readonly #node: string;
  #timer: Timer | undefined;
  #round: Promise<void> = Promise.resolve();
  /** The first bucket that was not read yet. */
  #loadFrom = 0;
  #isLoaded = false;
  /** The last news that were read, and the last that were a minute ago. */
  #lastNews = 0;
  #oldNews = 0;
  #forgotAt: number;
  /** News that may not have arrived: their outcome is unknown. What is learnt meanwhile waits in the guard, which bounds it. */
  #untold: { readonly at: number; readonly text: string } | undefined;
  #toldAt = 0;
  /** Buckets that changed since they were written, and when they changed last. */
  readonly #touchedAt = new Map<number, number>();
  #writtenAt: ReadonlyMap<number, number> = new Map();
  #isFailing = false;
  #saidUnreadable = false;

  constructor(deps: MemoryKeeperDeps) {
    this.#deps = deps;
    this.#node = deps.random.uuid();
    this.#forgotAt = deps.clock.steady();
  }

  /** Reads what is kept, and then takes a round every second. */
  async start(): Promise<void> {
    await this.#attempt(() => this.#load());
    // What was just read needs no writing.
    if (this.#isLoaded) this.#deps.guard.takeTouched();
    const run = async () => {
      const { clock } = this.#deps;
      const startedAt = clock.steady();
      this.#round = this.takeRound();
      await this.#round;
      const rest = EVERY_MS - (clock.steady() - startedAt);
      if (this.#timer !== undefined) this.#timer = clock.after(Math.max(0, rest), run).unref();
    };
    this.#timer = this.#deps.clock.after(EVERY_MS, run).unref();
  }

  /** Tells, keeps and hears what there is. Never rejects. */
  takeRound(): Promise<void> {
    return this.#attempt(async () => {
      await this.#load();
      await this.#retell();
      await this.#write([], 0);
      for (const bucket of await this.#findDue()) await this.#write([bucket], REWRITTEN_AFTER_MS);
      if (this.#deps.shared) await this.#hear();
    });
  }

  /** Tells and keeps the rest. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const over = new AbortController();
    const inTime = sleep(this.#deps.clock, LAST_WRITE_MS, over.signal).catch(() => {});
    await Promise.race([inTime, this.#round.then(() => this.#attempt(() => this.#writeAll(over.signal)))]);
    over.abort();
  }

  /** Without what was kept nothing is written: it would be written over. */
  async #load(): Promise<void> {
    const { records, shared } = this.#deps;
    if (this.#isLoaded) return;
    const writtenAt = new Map(this.#writtenAt);
    for (; this.#loadFrom < KEPT_BUCKETS; this.#loadFrom += KEPT_AT_ONCE) {
      for (const kept of await readKept(records, this.#loadFrom)) {
        writtenAt.set(kept.bucket, kept.writtenAt);
        this.#absorb(kept.share);
      }
      this.#writtenAt = writtenAt;
    }
    // After the buckets: what was told before they were written is in them, and must not be added a second time.
    if (shared) this.#lastNews = await readNewsCounter(records);
    this.#isLoaded = true;
  }

  /** News whose outcome is unknown are told by themselves: a bucket with what was not told yet would tell it twice. */
  async #retell(): Promise<void> {
    if (this.#untold === undefined) return;
    await this.#deps.records.transact(tellNews(this.#node, this.#untold.at, this.#untold.text));
    this.#untold = undefined;
  }

  /** The buckets to be written now, the oldest first. */
  async #findDue(): Promise<number[]> {
    const { records, shared, now } = this.#deps;
    this.#noteTouched(now());
    const ageOf = (bucket: number) => {
      const age = now() - (this.#writtenAt.get(bucket) ?? 0);
      return age < 0 ? Number.POSITIVE_INFINITY : age;
    };
    const find = () => [...this.#touchedAt.keys()].filter((bucket) => ageOf(bucket) > REWRITTEN_AFTER_MS);
    if (shared && find().length > 0) {
      this.#writtenAt = await readWrittenAt(records);
      for (const [bucket, touchedAt] of this.#touchedAt) {
        const writtenAt = this.#writtenAt.get(bucket) ?? 0;
        if (writtenAt <= now() && touchedAt + TOLD_WITHIN_MS < writtenAt) this.#touchedAt.delete(bucket);
      }
    }
    return find()
      .sort((a, b) => ageOf(b) - ageOf(a))
      .slice(0, BUCKETS_AT_ONCE);
  }

  /**
   * Tells what changed and writes buckets, in one transaction and as of one moment: who reads the buckets and then the news
   * must find nothing in both.
   */
  async #write(buckets: readonly number[], freshFor: number): Promise<void> {
    const { guard, records, shared, now } = this.#deps;
    const at = Math.round(now());
    guard.advance(at);
    this.#noteTouched(at);
    const news = shared ? this.#takeNews(at) : [];
    const kept = buckets.map((bucket) => {
      this.#touchedAt.delete(bucket);
      const share = bucket === BASELINE_BUCKET ? guard.baseline() : guard.snapshot(bucket);
      return keepBucket(bucket, encodeShare(share), at, at - freshFor);
    });
    if (news.length + kept.length === 0) return;
    const written = new Set<number>();
    try {
      const steps: readonly Step[] = [...news, ...kept];
      const answer = await records.transact(steps);
      this.#untold = undefined;
      const rows = answer.done ? answer.rows.slice(news.length).flat() : [];
      for (const { bucket } of rows) written.add(Number(bucket));
    } finally {
      for (const bucket of buckets) if (!written.has(bucket)) this.#touch(bucket, at);
      this.#writtenAt = new Map([...this.#writtenAt, ...[...written].map((bucket) => [bucket, at] as const)]);
    }
  }

  #takeNews(at: number): readonly Step[] {
    const changes = this.#deps.guard.takeChanges();
    if (isEmpty(changes)) return [];
    this.#toldAt = Math.max(at, this.#toldAt + 1);
    this.#untold = { at: this.#toldAt, text: encodeShare(changes) };
    return tellNews(this.#node, this.#untold.at, this.#untold.text);
  }

  async #hear(): Promise<void> {
    const { records, clock } = this.#deps;
    const { last, texts } = await readNews(records, this.#node, this.#lastNews);
    this.#lastNews = last;
    for (const text of texts) this.#absorb(decodeShare(text));
    if (clock.steady() - this.#forgotAt < NEWS_KEPT_MS) return;
    await records.transact(forgetNews(Math.min(this.#oldNews, last)));
    this.#forgotAt = clock.steady();
    this.#oldNews = last;
  }

  #absorb(share: Share | undefined): void {
    const { guard, now, log } = this.#deps;
    if (share !== undefined) guard.absorb(share, now());
    else if (!this.#saidUnreadable) {
      this.#saidUnreadable = true;
      log('warn', 'some of what the guard learnt is damaged or of another version and ignored');
    }
  }

  async #writeAll(over: AbortSignal): Promise<void> {
    if (!this.#isLoaded) return;
    await this.#retell();
    await this.#write([], 0);
    const buckets = [...this.#touchedAt.keys()];
    while (buckets.length > 0 && !over.aborted)
      await this.#write(buckets.splice(0, LAST_BUCKETS_AT_ONCE), -1);
  }

  #noteTouched(at: number): void {
    const touched = this.#deps.guard.takeTouched();
    for (const bucket of touched) this.#touchedAt.set(bucket, at);
    if (touched.length > 0) this.#touchedAt.set(BASELINE_BUCKET, at);
  }

  #touch(bucket: number, at: number): void {
    if (!this.#touchedAt.has(bucket)) this.#touchedAt.set(bucket, at);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const { log } = this.#deps;
    try {
      await work();
      if (this.#isFailing) log('info', 'what the guard learns is kept again');
      this.#isFailing = false;
    } catch (error) {
      log('warn', 'what the guard learns is not kept for now', { error: describeError(error) });
      this.#isFailing = true;
    }
  }
}

function isEmpty({ places, numbers, baseline }: Share): boolean {
  return places.length + numbers.length + baseline.length === 0;
}
