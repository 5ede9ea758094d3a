/** Keeps answers for a while, so that many repeated questions cost the store only one. */
import type { Clock } from '../../core/seams/clock.ts';

interface Remembered<T> {
  readonly answer: Promise<T>;
  /** Steady time. */
  readonly until: number;
}

/** Concurrent questions share one answer. A failure is not kept. */
export class Answers<T> {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #remembered = new Map<string, Remembered<T>>();
  readonly #max: number;

  /** Keeps the newest `max` answers. */
  constructor(clock: Pick<Clock, 'steady'>, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  ask(question: string, forMs: number, ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.steady();
    const known = this.#remembered.get(question);
    if (known !== undefined && now < known.until) return known.answer;
    const remembered = { answer: ask(), until: now + forMs };
    this.#remembered.delete(question);
    this.#remembered.set(question, remembered);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > this.#max && oldest !== undefined) this.#remembered.delete(oldest);
    remembered.answer.catch(() => {
      if (this.#remembered.get(question) === remembered) this.#remembered.delete(question);
    });
    return remembered.answer;
  }
}
