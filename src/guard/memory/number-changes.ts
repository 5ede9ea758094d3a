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
  /** Codes since the last confirmation, as of `askedAt`. Absorbed by adding; below 0 if some were taken back. */
  readonly unconfirmed: number;
  /** What repeats of its wish count at its places, and no confirmation has settled. Absorbed by adding. */
  readonly repeats: number;
}

/** What changed of numbers since it was last taken. */
export class NumberChanges {
  readonly #bySlot = new Map<number, NumberShare>();

  /**
   * `added` are the codes that were sent now; undefined if it was confirmed, so that those before do not count. `repeats` is what
   * one of them counts as a repeat, or what was settled.
   */
  note(slot: number, known: NumberShare, added: number | undefined, repeats: number): void {
    const before = this.#bySlot.get(slot);
    const isSame = before?.tag === known.tag && before.hash === known.hash;
    if (!isSame && this.#bySlot.size >= MOST_CHANGES) return;
    const unconfirmed = added === undefined ? 0 : (isSame ? before.unconfirmed : 0) + added;
    this.#bySlot.set(slot, { ...known, unconfirmed, repeats: (isSame ? before.repeats : 0) + repeats });
  }

  take(): NumberShare[] {
    const shares = [...this.#bySlot.values()];
    this.#bySlot.clear();
    return shares;
  }
}
