/**
 * By which time rows are old. A clock that is far ahead must not have deleted what is not over once it is corrected, and nobody can
 * tell at once whether a clock was set to a wrong time or to the right one: that it was set forward counts only after an hour.
 */
import type { Clock } from '../core/seams/clock.ts';
import { HOUR_MS } from '../core/seams/spans.ts';
import type { Store } from './port.ts';

/** Long enough for NTP, and for an operator who was told of it. */
const DOUBTED_MS = HOUR_MS;
/** Slewing a clock changes it by less between two looks, and reading another machine's clock is wrong by less. */
export const STEP_MS = 1_000;

interface Doubted {
  by: number;
  /** Steady time. */
  readonly until: number;
}

export class Aging {
  readonly #clock: Pick<Clock, 'now' | 'steady'>;
  readonly #store: Pick<Store, 'newestBefore'>;
  /** How far the clock was ahead of steady time when it was last looked at. */
  #base: number;
  #doubted: Doubted[] = [];
  #begun: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'now' | 'steady'>, store: Pick<Store, 'newestBefore'>) {
    this.#clock = clock;
    this.#store = store;
    this.#base = clock.now() - clock.steady();
  }

  /** Compares the clock with steady time; answers by how much it was set. */
  look(): number {
    const step = this.#clock.now() - this.#clock.steady() - this.#base;
    this.#base += step;
    if (step >= STEP_MS) this.#doubt(step);
    if (step <= -STEP_MS) this.#believe(-step);
    return step;
  }

  /** What is as old as this may be deleted, in whole Unix ms. Rejects while the store cannot be asked. */
  async now(): Promise<number> {
    this.#begun ??= this.#begin();
    await this.#begun;
    const steady = this.#clock.steady();
    this.#doubted = this.#doubted.filter(({ until }) => steady < until);
    // It may have been set since it was looked at.
    const now = Math.min(this.#clock.now(), steady + this.#base);
    return Math.floor(this.#doubted.reduce((time, { by }) => time - by, now));
  }

  /**
   * How long nobody was there cannot be told from a clock that was set forward meanwhile, if need be by a process before this one:
   * what came in its last hour may be dated by a clock that is to be doubted.
   */
  async #begin(): Promise<void> {
    try {
      const newest = await this.#store.newestBefore(this.#clock.now() - DOUBTED_MS);
      if (newest === null) return;
      this.#doubted = [];
      this.#doubt(this.#clock.now() - newest);
    } catch (error) {
      this.#begun = undefined;
      throw error;
    }
  }

  #doubt(by: number): void {
    this.#doubted.push({ by, until: this.#clock.steady() + DOUBTED_MS });
  }

  #believe(by: number): void {
    let left = by;
    for (const each of this.#doubted.toReversed()) {
      const taken = Math.min(each.by, left);
      each.by -= taken;
      left -= taken;
    }
  }
}
