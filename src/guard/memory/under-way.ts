/**
 * Whose a number was before the codes whose write is under way: many may be asked for at once, and all be refused by something
 * else, in any order. Where none of them is written, the number must be as it was.
 */

/** What sending a code changes of a number. */
export interface OpenRow {
  readonly tag: number;
  readonly account: number;
  readonly unconfirmed: number;
  readonly own: number;
  /** As the table keeps it. */
  readonly askedAt: number;
}

interface Codes {
  readonly before: OpenRow;
  underWay: number;
  /** Those of them that were not taken back. */
  left: number;
}

export class UnderWay {
  readonly #bySlot = new Map<number, Codes>();

  begin(slot: number, before: OpenRow): void {
    const codes = this.#of(slot, before.tag);
    if (codes === undefined) this.#bySlot.set(slot, { before, underWay: 1, left: 1 });
    else {
      codes.underWay += 1;
      codes.left += 1;
    }
  }

  /** A code was written, or not. Answers what the number was before, if none is left of those that came since. */
  end(slot: number, tag: number, isWritten: boolean): OpenRow | undefined {
    const codes = this.#of(slot, tag);
    if (codes === undefined) return undefined;
    codes.underWay -= 1;
    if (!isWritten) codes.left -= 1;
    if (codes.underWay === 0) this.#bySlot.delete(slot);
    return codes.left === 0 ? codes.before : undefined;
  }

  /** Something else changed the number: what it was before is history. */
  forget(slot: number): void {
    this.#bySlot.delete(slot);
  }

  /** A number may have made room for another in its slot. */
  #of(slot: number, tag: number): Codes | undefined {
    const codes = this.#bySlot.get(slot);
    return codes?.before.tag === tag ? codes : undefined;
  }
}
