import type { Channel } from '../../core/destination/channel.ts';
import type { Clock, Timer } from '../../core/seams/clock.ts';
import type { Deadline } from '../../core/sending/carrier.ts';

/** Looked at again right before something is sent. */
export interface StillWanted {
  readonly wanted: boolean;
  /**
   * Takes back what went by an earlier channel, before the first carrier of this one is asked. Whether that has arrived, so that nothing
   * more is to be sent. Absent if there is nothing to take back.
   */
  readonly takeBack?: (() => Promise<boolean>) | undefined;
}

/**
 * The end of one attempt's time: its timeout, or an earlier `end`. An AbortSignal is the most expensive part of an
 * attempt, so it is made only on request, and the timer only if there is something to wait for. The simulator needs
 * neither.
 */
export class Cutoff implements Deadline {
  /** Waits for a place or a turn, and not for the carrier. */
  waiting = false;
  /** Whose message the carrier was asked to send. */
  still: StillWanted | undefined;
  /** Nothing of the message has left yet, as the carrier says. */
  unsent = false;
  readonly channel: Channel;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #timeoutMs: number;
  #timer: Timer | undefined;
  #controller: AbortController | undefined;
  #onEnd: ((reason: string) => void) | undefined;
  #reason: string | undefined;

  constructor(clock: Pick<Clock, 'after'>, timeoutMs: number, channel: Channel) {
    this.channel = channel;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(new Error(this.#reason));
    }
    return this.#controller.signal;
  }

  get wanted(): boolean {
    return this.still?.wanted ?? true;
  }

  /** Why it ended; undefined before. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Calls the listener at the end, or at once if it has already come. There is only one. */
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

  /** Starts the time if it does not run yet. It need not run before there is something to wait for. */
  start(): void {
    if (this.#timer === undefined) this.restart();
  }

  /** Starts the whole time again, unless it has ended. */
  restart(): void {
    if (this.#reason !== undefined) return;
    this.clear();
    this.#timer = this.#clock.after(this.#timeoutMs, () => this.end('deadline'));
  }

  /** The attempt is over. */
  clear(): void {
    this.#timer?.[Symbol.dispose]();
  }
}
