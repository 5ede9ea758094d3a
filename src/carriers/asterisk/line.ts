import type { Clock } from '../../core/seams/clock.ts';
import type { CallEvent } from './event.ts';

/** The events of one call, in order. */
export class CallLine {
  readonly #clock: Clock;
  readonly #events: CallEvent[] = [];
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  push(event: CallEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** The next event, or `late` if none has come by `until`, in steady time. */
  async next(until: number): Promise<CallEvent> {
    if (this.#events.length === 0) await this.#wait(until - this.#clock.steady());
    return this.#events.shift() ?? { kind: 'late' };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        timer[Symbol.dispose]();
        this.#wake = undefined;
        resolve();
      };
      const timer = this.#clock.after(Math.max(0, ms), finish);
      this.#wake = finish;
    });
  }
}
