/**
 * Which row of a table holds what: tags in sets, as in a processor's cache. Rows are given out in blocks as sets fill: those that
 * were never used take no memory of the machine.
 */

import { BUCKETS } from './buckets.ts';

/** So many rows of a set lie side by side, because they are looked at together. */
const BLOCK = 4;
/** So many blocks of a bucket lie side by side at least, because they are kept together. */
const BLOCKS_AT_ONCE = 64;

export class SetIndex {
  readonly #mask: number;
  readonly #ways: number;
  readonly #stride: number;
  /** Of each set its tags, 0 where there is none, and then its blocks: in as few lines of the cache as may be. */
  readonly #words: Uint32Array;
  /** By bucket; none is left where the next is a multiple of `blocksAtOnce`. */
  readonly #nextBlocks: Uint32Array;
  readonly #blocksAtOnce: number;
  #blocks = 0;

  /** `capacity` and `ways` are powers of two. */
  constructor(capacity: number, ways: number) {
    this.#mask = capacity / ways - 1;
    this.#ways = ways;
    this.#stride = ways + ways / BLOCK;
    this.#words = new Uint32Array((capacity / ways) * this.#stride);
    this.#nextBlocks = new Uint32Array(Math.min(BUCKETS, this.sets));
    this.#blocksAtOnce = Math.min(BLOCKS_AT_ONCE, capacity / BLOCK / this.#nextBlocks.length);
  }

  get sets(): number {
    return this.#mask + 1;
  }

  /** The row of a tag; -1 if it has none. */
  find(hash: number, tag: number): number {
    const words = this.#words;
    const start = (hash & this.#mask) * this.#stride;
    for (let way = 0; way < this.#ways; way++) if (words[start + way] === tag) return this.#row(start, way);
    return -1;
  }

  /** The row at a place of a set; -1 if it is free. */
  rowAt(hash: number, way: number): number {
    const start = (hash & this.#mask) * this.#stride;
    return this.#words[start + way] === 0 ? -1 : this.#row(start, way);
  }

  /** Gives a place of a set to a tag, with the row of the one before it, or one that was never used. Sets are filled in order. */
  put(hash: number, way: number, tag: number): number {
    const start = (hash & this.#mask) * this.#stride;
    const isFirst = this.#words[start + way] === 0 && way % BLOCK === 0;
    if (isFirst) this.#words[start + this.#ways + way / BLOCK] = this.#blockFor(hash);
    this.#words[start + way] = tag;
    return this.#row(start, way);
  }

  /** The rows in the sets where what belongs to a bucket may be kept. */
  rowsOf(bucket: number): number[] {
    const rows: number[] = [];
    for (let set = bucket % this.sets; set < this.sets; set += BUCKETS) {
      for (let way = 0; way < this.#ways; way++) {
        const row = this.rowAt(set, way);
        if (row >= 0) rows.push(row);
      }
    }
    return rows;
  }

  #blockFor(hash: number): number {
    const bucket = hash & (this.#nextBlocks.length - 1);
    let block = this.#nextBlocks[bucket] ?? 0;
    if (block % this.#blocksAtOnce === 0) {
      block = this.#blocks;
      this.#blocks += this.#blocksAtOnce;
    }
    this.#nextBlocks[bucket] = block + 1;
    return block;
  }

  #row(start: number, way: number): number {
    return (this.#words[start + this.#ways + ((way / BLOCK) | 0)] ?? 0) * BLOCK + (way % BLOCK);
  }
}
