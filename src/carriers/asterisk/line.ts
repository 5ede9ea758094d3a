import type { CallEvent } from './event.ts';

/** The events of one call, in order. */
export class CallLine {
  readonly #events: CallEvent[] = [];
  #wake: (() => void) | undefined;

  push(event: CallEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** The next event, or `late` if none has come by `until`, a time of `performance.now()`. */
  async next(until: number): Promise<CallEvent> {
    if (this.#events.length === 0) await this.#wait(until - performance.now());
    return this.#events.shift() ?? { kind: 'late' };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(finish, Math.max(0, ms));
      this.#wake = finish;
    });
  }
}
