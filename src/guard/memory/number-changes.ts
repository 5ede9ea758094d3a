/** What changed of numbers, by an opaque hash, for the other nodes. No number can be read from it. */
import { MOST_CHANGES } from '../parameters.ts';

/** What was added to a number, or all that is known of it. */
export interface NumberShare {
  readonly hash: number;
  readonly tag: number;
  /** Unix ms; 0: never. The later time wins. */
  readonly askedAt: number;
  readonly confirmedAt: number;
  /** When the wish was opened that nobody confirmed yet; 0: there is none. */
  readonly wishAt: number;
  /** Tag of the account whose codes it has; 0: nobody's. */
  readonly account: number;
  /** Of the account that confirmed last; 0: nobody's. */
  readonly confirmer: number;
  /**
   * Codes since the last confirmation, as of `askedAt`: those of that account, and those of others. Absorbed by adding; below 0 if
   * some were taken back.
   */
  readonly own: number;
  readonly unconfirmed: number;
  /** What repeats of its wish count at its places, and no confirmation has settled. Absorbed by adding. */
  readonly repeats: number;
}

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

const NOTHING = { unconfirmed: 0, own: 0, repeats: 0 };

/** What changed of numbers since it was last taken. */
export class NumberChanges {
  readonly #bySlot = new Map<number, NumberShare>();

  note(slot: number, known: NumberShare, change: NumberChange): void {
    const before = this.#bySlot.get(slot);
    const isSame = before?.tag === known.tag && before.hash === known.hash;
    if (!isSame && this.#bySlot.size >= MOST_CHANGES) return;
    const { unconfirmed = 0, own = 0, repeats = 0, confirmed } = change;
    const told = isSame ? before : NOTHING;
    this.#bySlot.set(slot, {
      ...known,
      unconfirmed: (confirmed === 'all' ? 0 : told.unconfirmed) + unconfirmed,
      own: (confirmed === undefined ? told.own : 0) + own,
      repeats: told.repeats + repeats,
    });
  }

  take(): NumberShare[] {
    const shares = [...this.#bySlot.values()];
    this.#bySlot.clear();
    return shares;
  }
}
