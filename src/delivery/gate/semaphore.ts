import type { Deadline } from '../../core/sending/carrier.ts';
import { LinkedList } from '../../core/sending/linked-list.ts';

/** Limits how many are under way at once. The others wait in the order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new LinkedList<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a place at once and returns undefined, or returns a promise of one. Rejects at the deadline, if there is one. */
  take(deadline?: Deadline): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    if (deadline === undefined) return new Promise((resolve) => void this.#waiting.add(resolve));
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#waiting.remove(entry);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abandon);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', abandon, { once: true });
      const entry = this.#waiting.add(enter);
    });
  }

  /** Gives a place to the one that has waited longest, if any. */
  release(): void {
    const { first } = this.#waiting;
    if (first === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.remove(first);
    first.item();
  }
}
