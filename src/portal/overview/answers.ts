/** Keeps answers for a while, so that many repeated questions cost the store only one. */

interface Remembered<T> {
  readonly answer: Promise<T>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

/** Concurrent questions share one answer. A failure is not kept. */
export class Answers<T> {
  readonly #remembered = new Map<string, Remembered<T>>();
  readonly #max: number;

  /** Keeps the newest `max` answers. */
  constructor(max: number) {
    this.#max = max;
  }

  ask(question: string, forMs: number, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
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
