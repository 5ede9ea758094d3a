/**
 * What is known is kept in parts, so that a part at a time can be written: a place and a number belong to a bucket by the lowest
 * bits of their name's hash, however large the tables are.
 */

export const BUCKETS = 64;

export function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

/** The buckets in which anything changed since it was last asked. */
export class Touched {
  readonly #marks = new Uint8Array(BUCKETS);

  mark(hash: number): void {
    this.#marks[bucketOf(hash)] = 1;
  }

  take(): number[] {
    const buckets = [...this.#marks.keys()].filter((bucket) => this.#marks[bucket] === 1);
    this.#marks.fill(0);
    return buckets;
  }
}
