/** Names of places as pairs of 32 bits: the set that a place is kept in, and the tag that tells it from others there. */

const SEED_A = 0x9e3779b1;
const SEED_B = 0x85ebca77;

/** A place's name: `a` chooses the set, `b` is the tag and never 0. */
export interface NameHash {
  readonly a: number;
  readonly b: number;
}

/** Hashes text; `salt` keeps kinds of places apart. */
export function nameOf(salt: number, text: string): NameHash {
  let a = (SEED_A ^ Math.imul(salt + 1, 0x27d4eb2f)) | 0;
  let b = (SEED_B ^ Math.imul(salt + 1, 0x165667b1)) | 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ unit, 0x5bd1e995);
  }
  return { a: mix(a), b: mix(b ^ a) || 1 };
}

/** Finalizer of MurmurHash3: every bit of the input changes half of the output's. */
export function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** From 0 to 1, the same for the same input: chance that a replay repeats. */
export function chance(a: number, b: number): number {
  return mix(a ^ Math.imul(b, 0x9e3779b1)) / 2 ** 32;
}
