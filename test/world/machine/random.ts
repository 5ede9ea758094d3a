/** Randomness that follows from a seed alone. */
import type { Random } from '../../../src/core/seams/random.ts';

/** A whole number from 0 to below its argument. */
export type Draw = (limit: number) => number;

/** Mulberry32: small, quick, and good enough to choose among a few things. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** What a node draws. `wall` is the time of its machine, which ordered ids begin with. */
export function randomFrom(seed: number, wall: () => number): Random {
  const below = drawFrom(seed);
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => below(256)));
  const uuidOf = (octets: Buffer, version: number) => {
    octets[6] = ((octets[6] ?? 0) & 0x0f) | (version << 4);
    octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
    return octets.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
  // Ids of one ms are in the order in which they were drawn, as Node's are.
  let [lastAt, drawn] = [0, 0];
  return {
    bytes,
    below,
    fraction: () => below(2 ** 30) / 2 ** 30,
    uuid: () => uuidOf(bytes(16), 4),
    orderedUuid() {
      const at = Math.max(lastAt, wall());
      drawn = at === lastAt ? drawn + 1 : below(256);
      lastAt = at;
      const octets = bytes(16);
      octets.writeUIntBE(at, 0, 6);
      octets.writeUInt16BE(drawn & 0xfff, 6);
      return uuidOf(octets, 7);
    },
  };
}
