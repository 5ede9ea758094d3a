import type { Deadline } from '../core/carrier.ts';

/**
 * The end of one attempt's time: its timeout, or an `end` before it. An AbortSignal, the dearest part of an attempt,
 * is made only for those who ask for it, and the timer when there is something to wait for; the simulator asks for neither.
 */
export class Cutoff implements Deadline {
  /** For a place or a turn, and not for the carrier. */
  waiting = false;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #onEnd: ((reason: string) => void) | undefined;
  #reason: string | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(new Error(this.#reason));
    }
    return this.#controller.signal;
  }

  /** Why it ended; undefined before. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Calls the listener, the only one, at the end or at once when that has come. */
  onEnd(listener: (reason: string) => void): void {
    if (this.#reason === undefined) this.#onEnd = listener;
    else listener(this.#reason);
  }

  end(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(new Error(reason));
    this.#onEnd?.(reason);
    this.clear();
  }

  /** The time runs from now on, if it does not yet: until something has to be waited for, it is not looked at. */
  start(): void {
    if (this.#timer === undefined) this.restart();
  }

  /** Gives the whole time from now on, unless it has ended. */
  restart(): void {
    if (this.#reason !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end('deadline'), this.#timeoutMs);
  }

  /** The attempt is over. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
