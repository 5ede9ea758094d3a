/** Answers remembered for a while: what many look at again and again is asked of the store once. */

interface Remembered<T> {
  readonly answer: Promise<T>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

/** Whoever asks while a question is under way gets the same answer. A failure is not remembered. */
export class Answers<T> {
  readonly #remembered = new Map<string, Remembered<T>>();
  readonly #max: number;

  /** `max` answers are kept, the newest. */
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
