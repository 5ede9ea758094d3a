/** A cap on what is sent in a day (UTC): exact over all nodes, without a question to the store for each message. */
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { StoreFailure } from './errors.ts';
import type { Limit } from './limits.ts';
import type { QuotaStore } from './quota.ts';

const DAY_MS = 86_400_000;
/** Places taken ahead at most: what a crash loses of the day. */
const LARGEST_BLOCK = 100;
/** Before the store is asked again once the cap is used up: other nodes may have given places back. */
const ASK_AGAIN_MS = 1_000;

/** Permission to send one message, as the day that it counts in. */
export type DailyPlace = number;

/**
 * Places are taken from the store in small blocks and handed out from memory. Whatever is unclear counts as used: a block
 * that was asked for while the store went away, or one whose return was not acknowledged.
 */
export class DailyCap {
  readonly #store: QuotaStore;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #max: number;
  readonly #block: number;
  readonly #returns = new Set<Promise<void>>();
  /** The day that `#left` belongs to. */
  #day = 0;
  #left = 0;
  /** Steady time; a new day ends it sooner. */
  #usedUpUntil = 0;
  #waiting: PromiseWithResolvers<DailyPlace | undefined>[] = [];
  #asking: Promise<void> | undefined;

  constructor(store: QuotaStore, name: string, max: number, clock: Clock = SYSTEM_CLOCK) {
    this.#store = store;
    this.#clock = clock;
    this.#name = name;
    this.#max = max;
    this.#block = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(max / 100)));
  }

  /** The cap as a limit is shown. */
  get limit(): Limit {
    return { max: this.#max, windowMs: DAY_MS };
  }

  /** Whether the store said within the last second that nothing is left. */
  get isUsedUp(): boolean {
    this.#turnTo(dayOf(this.#clock.now()));
    return this.#left === 0 && this.#clock.steady() < this.#usedUpUntil;
  }

  /** A place, or undefined when the day's are used up. Rejects with a StoreFailure when that cannot be known: no place is held then. */
  take(): DailyPlace | undefined | Promise<DailyPlace | undefined> {
    if (this.isUsedUp) return undefined;
    if (this.#left > 0) {
      this.#left--;
      return this.#day;
    }
    const place = Promise.withResolvers<DailyPlace | undefined>();
    this.#waiting.push(place);
    this.#asking ??= this.#ask();
    return place.promise;
  }

  /** Gives a place back that was not used. That of a day which is over is worth nothing. */
  giveBack(place: DailyPlace): void {
    this.#turnTo(dayOf(this.#clock.now()));
    if (place !== this.#day) return;
    this.#left++;
    // More than two blocks come together when many messages failed at once: other nodes may need them.
    if (this.#left > 2 * this.#block) this.#return(this.#left - this.#block);
  }

  /** Gives back what was taken ahead. Nothing is taken any more. */
  async stop(): Promise<void> {
    await this.#asking;
    if (this.#left > 0) this.#return(this.#left);
    await Promise.all(this.#returns);
  }

  /** Whoever comes while the store is being asked is asked for together with the others, next. */
  async #ask(): Promise<void> {
    while (this.#waiting.length > 0) {
      const asked = this.#waiting;
      this.#waiting = [];
      const day = dayOf(this.#clock.now());
      const count = Math.max(this.#block, asked.length);
      try {
        const got = await this.#store.takeQuota(this.#name, day, this.#max, count);
        this.#handOut(day, got, asked);
        if (got < count) this.#usedUpUntil = this.#clock.steady() + ASK_AGAIN_MS;
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.#asking = undefined;
  }

  #handOut(day: number, got: number, asked: readonly PromiseWithResolvers<DailyPlace | undefined>[]): void {
    this.#turnTo(dayOf(this.#clock.now()));
    const isToday = this.#day === day;
    let free = isToday ? this.#left + got : got;
    for (const { resolve } of asked) resolve(free-- > 0 ? day : undefined);
    if (isToday) this.#left = Math.max(0, free);
  }

  #return(count: number): void {
    this.#left -= count;
    const returned = this.#store
      .returnQuota(this.#name, this.#day, count)
      .catch((error: unknown) => {
        if (!(error instanceof StoreFailure)) throw error;
      })
      .finally(() => this.#returns.delete(returned));
    this.#returns.add(returned);
  }

  #turnTo(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#left = 0;
    this.#usedUpUntil = 0;
  }
}

/** How long the day still lasts, in ms. */
export function untilNextDay(now: number): number {
  return DAY_MS - (now % DAY_MS);
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
