/**
 * What look-ups answered lately, in the memory of this process: a repeated request is not paid for twice, and nothing about a person
 * is written down. It ends by itself, by the steady clock.
 */
import type { NumberAnswer } from '../core/lookups/lookup.ts';
import type { Clock } from '../core/seams/clock.ts';

/** Of each look-up. Beyond that, the oldest is forgotten. */
const MOST = 10_000;

interface Kept {
  readonly answer: NumberAnswer;
  readonly until: number;
}

export class RecentAnswers {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'steady'>, most = MOST) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): NumberAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.#clock.steady() < kept.until) return kept.answer;
    this.#kept.delete(key);
    return undefined;
  }

  keep(key: string, answer: NumberAnswer, forMs: number): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= this.#most && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { answer, until: this.#clock.steady() + forMs });
  }
}
