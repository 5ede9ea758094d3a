/** What changed of numbers since it was last taken, for the other nodes. */
import { MOST_CHANGES } from '../parameters.ts';
import { KEY_HASH, NumberRows, TAG, WORDS } from './number-rows.ts';
import { NumberShare, NumberShares } from './number-shares.ts';

const FIRST_ROWS = 2 ** 10;
const ADDED = 3;
const UNCONFIRMED = 0;
const OWN = 1;
const REPEATS = 2;

/** What was added to a number. */
export interface NumberChange {
  readonly unconfirmed?: number;
  readonly own?: number;
  readonly repeats?: number;
  /** Whose codes before it do not count any more: all, or those of the account that confirmed, as it did the last time. */
  readonly confirmed?: Cleared;
}

/** Whose unconfirmed codes a confirmation clears. */
export type Cleared = 'all' | 'own';

export class NumberChanges {
  /** By slot, of those that are in `slots`; of others it may say anything. */
  readonly #rowOf: Uint16Array;
  #slots = new Uint32Array(FIRST_ROWS);
  /** As each was when it was last noted. */
  #known: NumberRows;
  #added = new Float64Array(FIRST_ROWS * ADDED);
  #length = 0;

  constructor(capacity: number, origin: number) {
    this.#rowOf = new Uint16Array(capacity);
    this.#known = new NumberRows(FIRST_ROWS, origin);
  }

  note(slot: number, numbers: NumberRows, change: NumberChange): void {
    let row = this.#rowOf[slot] ?? 0;
    const isNoted = row < this.#length && this.#slots[row] === slot;
    if (!isNoted || !this.#isOf(row, numbers, slot)) {
      if (this.#length >= MOST_CHANGES) return;
      row = this.#begin(isNoted ? row : this.#length++, slot);
    }
    const { unconfirmed = 0, own = 0, repeats = 0, confirmed } = change;
    this.#known.copy(row, numbers, slot);
    const at = row * ADDED;
    const added = this.#added;
    added[at + UNCONFIRMED] = (confirmed === 'all' ? 0 : (added[at + UNCONFIRMED] ?? 0)) + unconfirmed;
    added[at + OWN] = (confirmed === undefined ? (added[at + OWN] ?? 0) : 0) + own;
    added[at + REPEATS] = (added[at + REPEATS] ?? 0) + repeats;
  }

  take(): NumberShares {
    const shares = NumberShares.for(this.#length);
    const share = new NumberShare();
    for (let row = 0; row < this.#length; row++) {
      this.#known.share(row, share);
      share.unconfirmed = this.#added[row * ADDED + UNCONFIRMED] ?? 0;
      share.own = this.#added[row * ADDED + OWN] ?? 0;
      share.repeats = this.#added[row * ADDED + REPEATS] ?? 0;
      shares.add(share);
    }
    this.#length = 0;
    return shares;
  }

  /** A number may have made room for another in its slot. */
  #isOf(row: number, { whole }: NumberRows, slot: number): boolean {
    const known = this.#known.whole;
    const [at, now] = [row * WORDS, slot * WORDS];
    return known[at + TAG] === whole[now + TAG] && known[at + KEY_HASH] === whole[now + KEY_HASH];
  }

  #begin(row: number, slot: number): number {
    if (row === this.#slots.length) this.#grow();
    this.#slots[row] = slot;
    this.#added.fill(0, row * ADDED, (row + 1) * ADDED);
    this.#rowOf[slot] = row;
    return row;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const added = new Float64Array(this.#added.length * 2);
    slots.set(this.#slots);
    added.set(this.#added);
    this.#known = this.#known.grown(slots.length);
    this.#slots = slots;
    this.#added = added;
  }
}
