/** A cap on messages in a day (UTC): exact over all nodes, without asking the store for each message. */

import { StoreFailure } from '../errors/store-failure.ts';
import type { Clock } from '../seams/clock.ts';
import { DAY_MS } from '../seams/spans.ts';
import type { Limit } from '../verification/limits.ts';
import type { QuotaStore } from './quota.ts';

/** The most places to take ahead: a crash loses them. */
const LARGEST_BLOCK = 100;
/** How often to ask the store when the cap is used up, because other nodes may have returned places, in ms. */
const ASK_AGAIN_MS = 1_000;

/** Permission to send one message: the day that it counts for. */
export type DailyPlace = number;

/**
 * Places are taken from the store in small blocks and handed out from memory. Unclear ones count as used: a block whose
 * request or return the store did not acknowledge.
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

  constructor(store: QuotaStore, name: string, max: number, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#name = name;
    this.#max = max;
    this.#block = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(max / 100)));
  }

  /** Whether it counts the same, up to the same. */
  isSame({ name, max }: { readonly name: string; readonly max: number }): boolean {
    return name === this.#name && max === this.#max;
  }

  /** The cap, to show as a limit. */
  get limit(): Limit {
    return { max: this.#max, windowMs: DAY_MS };
  }

  /** Whether the store said in the last second that nothing is left. */
  get isUsedUp(): boolean {
    this.#turnTo(dayOf(this.#clock.now()));
    return this.#left === 0 && this.#clock.steady() < this.#usedUpUntil;
  }

  /** A place, or undefined if the day's places are used up. Rejects with a StoreFailure, without a place, if nobody can tell. */
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

  /** Returns an unused place. One of an earlier day is worthless. */
  giveBack(place: DailyPlace): void {
    this.#turnTo(dayOf(this.#clock.now()));
    if (place !== this.#day) return;
    this.#left++;
    // Many failed messages may leave more than two blocks, which other nodes may need.
    if (this.#left > 2 * this.#block) this.#return(this.#left - this.#block);
  }

  /** Returns the places taken ahead. Call it when nothing takes places any more. */
  async stop(): Promise<void> {
    await this.#asking;
    if (this.#left > 0) this.#return(this.#left);
    await Promise.all(this.#returns);
  }

  /** Requests that come while the store is being asked share the next question. */
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

/** Until the end of the day, in ms. */
export function untilNextDay(now: number): number {
  return DAY_MS - (now % DAY_MS);
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
