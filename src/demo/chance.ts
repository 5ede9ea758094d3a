/** The chance of the demo: the same seed draws the same week. Nothing that has to be secret is drawn from it. */

const [STEP, LIMIT] = [0x6d2b79f5, 2 ** 32];

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to below 1 (Mulberry32, a generator of 32 bits). */
  readonly fraction = (): number => {
    this.#state = (this.#state + STEP) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / LIMIT;
  };

  /** A whole number from 0 to below `limit`. */
  readonly below = (limit: number): number => Math.floor(this.fraction() * limit);

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }

  /** Around a median, with a long tail, as waits are: a whole number of ms. */
  around(medianMs: number): number {
    // Box and Muller (1958).
    const normal = Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
    return Math.round(medianMs * Math.exp(SPREAD * normal));
  }
}

const SPREAD = 0.5;
