/** What is told of numbers, by an opaque hash, to other nodes. No number can be read from it. */
import { PackedRows } from './packed-rows.ts';

/** Bytes of a row. */
export const NUMBER_ROW = 52;

/** What was added to a number, or all that is known of it. */
export class NumberShare {
  hash = 0;
  tag = 0;
  /** Unix ms; 0: never. The later time wins. */
  askedAt = 0;
  confirmedAt = 0;
  /** When the intent was opened that nobody confirmed yet; 0: there is none. */
  wishAt = 0;
  /** Tag of the account whose codes it has; 0: nobody's. */
  account = 0;
  /** Of the account that confirmed last; 0: nobody's. */
  confirmer = 0;
  /**
   * Codes since the last confirmation, as of `askedAt`: those of that account, and those of others. Absorbed by adding; below 0 if
   * some were taken back.
   */
  own = 0;
  unconfirmed = 0;
  /** What repeats of its intent count at its places, and no confirmation has settled. Absorbed by adding. */
  repeats = 0;
}

export class NumberShares {
  readonly #rows: PackedRows;

  constructor(bytes = new Uint8Array(0), length = bytes.length / NUMBER_ROW) {
    this.#rows = new PackedRows(NUMBER_ROW, bytes, length);
  }

  /** None yet, with room for as many as will come. */
  static for(count: number): NumberShares {
    return new NumberShares(new Uint8Array(count * NUMBER_ROW), 0);
  }

  get length(): number {
    return this.#rows.length;
  }

  get bytes(): Uint8Array {
    return this.#rows.bytes;
  }

  add(share: NumberShare): void {
    const at = this.#rows.next();
    const { view } = this.#rows;
    view.setUint32(at, share.hash, true);
    view.setUint32(at + 4, share.tag, true);
    view.setFloat64(at + 8, share.askedAt, true);
    view.setFloat64(at + 16, share.confirmedAt, true);
    view.setFloat64(at + 24, share.wishAt, true);
    view.setUint32(at + 32, share.account, true);
    view.setFloat32(at + 36, share.unconfirmed, true);
    view.setUint32(at + 40, share.confirmer, true);
    view.setFloat32(at + 44, share.own, true);
    view.setFloat32(at + 48, share.repeats, true);
  }

  read(index: number, into: NumberShare): NumberShare {
    const at = this.#rows.at(index);
    const { view } = this.#rows;
    into.hash = view.getUint32(at, true);
    into.tag = view.getUint32(at + 4, true);
    into.askedAt = view.getFloat64(at + 8, true);
    into.confirmedAt = view.getFloat64(at + 16, true);
    into.wishAt = view.getFloat64(at + 24, true);
    into.account = view.getUint32(at + 32, true);
    into.unconfirmed = view.getFloat32(at + 36, true);
    into.confirmer = view.getUint32(at + 40, true);
    into.own = view.getFloat32(at + 44, true);
    into.repeats = view.getFloat32(at + 48, true);
    return into;
  }
}
