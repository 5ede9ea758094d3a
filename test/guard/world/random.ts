/** xoshiro128** by Blackman and Vigna, seeded with splitmix32: the same seed gives the same numbers everywhere. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed | 0;
    const split = () => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return mixed ^ (mixed >>> 15);
    };
    this.#a = split();
    this.#b = split();
    this.#c = split();
    this.#d = split();
  }

  /** 32 bits, signed. */
  #bits(): number {
    const five = Math.imul(this.#b, 5);
    const result = Math.imul((five << 7) | (five >>> 25), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A generator of its own, so that what happens to one person changes nothing for the others. */
  fork(): Random {
    return new Random(this.#bits());
  }

  /** From 0 to below 1. */
  next(): number {
    return (this.#bits() >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Each order of magnitude equally likely. */
  scale(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(list.length * this.next())];
    if (picked === undefined) throw new Error('There is nothing to pick from.');
    return picked;
  }

  /** One of the list, the first ones more often (1, 1/2, 1/3 and so on). */
  pickEarly<T>(list: readonly T[]): T {
    // The inverse of the harmonic sum, near enough.
    const at = Math.floor((list.length + 1) ** this.next()) - 1;
    return list[at] ?? this.pick(list);
  }

  shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = Math.floor((last + 1) * this.next());
      const [a, b] = [shuffled[last], shuffled[other]];
      if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a];
    }
    return shuffled;
  }

  /** Up to `count` different ones. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffle(list).slice(0, count);
  }

  digits(count: number): string {
    let digits = '';
    for (let i = 0; i < count; i++) digits += Math.floor(10 * this.next());
    return digits;
  }
}
