/** What a table of numbers keeps of each, in one block of memory: 44 bytes. */
import type { NumberShare } from './number-shares.ts';

export const WORDS = 11;
/** Times are kept in tenths of a second since the origin. */
export const NUMBER_TICK = 100;

export const TAG = 0;
export const INTENT_AT = 1;
export const TICKET = 2;
export const CONFIRMED_AT = 3;
export const ACCOUNT_HASH = 4;
export const UNCONFIRMED = 5;
export const ASKED_AT = 6;
export const KEY_HASH = 7;
export const REPEATS = 8;
export const CONFIRMER = 9;
/** Unconfirmed codes of the account that confirmed last; those of others are in UNCONFIRMED. */
export const OWN = 10;

export class NumberRows {
  readonly #origin: number;
  readonly whole: Uint32Array;
  readonly parts: Float32Array;

  constructor(capacity: number, origin: number) {
    this.#origin = origin;
    this.whole = new Uint32Array(capacity * WORDS);
    this.parts = new Float32Array(this.whole.buffer);
  }

  /** All that is known of a number. */
  share(row: number, into: NumberShare): NumberShare {
    const { whole, parts } = this;
    const at = row * WORDS;
    into.hash = whole[at + KEY_HASH] ?? 0;
    into.tag = whole[at + TAG] ?? 0;
    into.askedAt = this.ms(whole[at + ASKED_AT] ?? 0);
    into.confirmedAt = this.ms(whole[at + CONFIRMED_AT] ?? 0);
    into.wishAt = this.ms(whole[at + INTENT_AT] ?? 0);
    into.account = whole[at + ACCOUNT_HASH] ?? 0;
    into.confirmer = whole[at + CONFIRMER] ?? 0;
    into.own = parts[at + OWN] ?? 0;
    into.unconfirmed = parts[at + UNCONFIRMED] ?? 0;
    into.repeats = parts[at + REPEATS] ?? 0;
    return into;
  }

  /** Copies a row of others. */
  copy(row: number, from: NumberRows, fromRow: number): void {
    const [at, fromAt] = [row * WORDS, fromRow * WORDS];
    for (let word = 0; word < WORDS; word++) this.whole[at + word] = from.whole[fromAt + word] ?? 0;
  }

  /** 0 stands for "never". */
  ms(tick: number): number {
    return tick === 0 ? 0 : this.time(tick);
  }

  time(tick: number): number {
    return this.#origin + tick * NUMBER_TICK;
  }

  /** Never 0, which says "never". */
  tick(ms: number): number {
    return Math.max(1, Math.round((ms - this.#origin) / NUMBER_TICK));
  }

  /** The same rows, with room for more. */
  grown(capacity: number): NumberRows {
    const rows = new NumberRows(capacity, this.#origin);
    rows.whole.set(this.whole);
    return rows;
  }
}
