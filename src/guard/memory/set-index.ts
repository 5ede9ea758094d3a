/**
 * Which row of a table holds what: tags in sets, as in a processor's cache. Rows are given out one after the other as sets fill:
 * those that were never used take no memory of the machine.
 */

/** So many rows of a set lie side by side, because they are looked at together. */
const BLOCK = 4;

export class SetIndex {
  readonly #mask: number;
  readonly #ways: number;
  /** Of each set its tags, 0 where there is none, and then its rows: one line of the cache. */
  readonly #words: Uint32Array;
  #rows = 0;

  /** `capacity` and `ways` are powers of two. */
  constructor(capacity: number, ways: number) {
    this.#mask = capacity / ways - 1;
    this.#ways = ways;
    this.#words = new Uint32Array(capacity * 2);
  }

  get sets(): number {
    return this.#mask + 1;
  }

  /** The row of a tag; -1 if it has none. */
  find(hash: number, tag: number): number {
    const words = this.#words;
    const ways = this.#ways;
    const start = (hash & this.#mask) * ways * 2;
    for (let at = start; at < start + ways; at++) if (words[at] === tag) return words[at + ways] ?? -1;
    return -1;
  }

  /** The row at a place of a set; -1 if it is free. */
  rowAt(hash: number, way: number): number {
    const at = (hash & this.#mask) * this.#ways * 2 + way;
    return this.#words[at] === 0 ? -1 : (this.#words[at + this.#ways] ?? -1);
  }

  /** Gives a place of a set to a tag, with the row of the one before it, or one that was never used. Sets are filled in order. */
  put(hash: number, way: number, tag: number): number {
    const at = (hash & this.#mask) * this.#ways * 2 + way;
    if (this.#words[at] === 0) this.#words[at + this.#ways] = this.#rowFor(at + this.#ways, way);
    this.#words[at] = tag;
    return this.#words[at + this.#ways] ?? -1;
  }

  #rowFor(at: number, way: number): number {
    if (way % BLOCK !== 0) return (this.#words[at - 1] ?? 0) + 1;
    this.#rows += BLOCK;
    return this.#rows - BLOCK;
  }
}
