/** A circuit breaker: after several failures in a row a carrier is skipped for a while, then tried with one message. */
import type { Clock } from '../../core/seams/clock.ts';
import type { BreakerState } from '../../core/sending/delivery-metrics.ts';

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open, in ms. */
  readonly resetAfter: number;
}

/** `why` says what failed last, if it opens after it was closed: a trial that fails is no news. */
export type OnBreakerState = (state: BreakerState, why?: string) => void;

/** Permission to ask the carrier once. The answer to a trial decides the state. */
export type Permit = 'regular' | 'trial';

export class Breaker {
  readonly #options: BreakerOptions;
  readonly #onState: OnBreakerState;
  readonly #clock: Pick<Clock, 'steady'>;
  #state: BreakerState = 'closed';
  #failures = 0;
  /** Steady time. */
  #openUntil = 0;

  constructor(options: BreakerOptions, clock: Pick<Clock, 'steady'>, onState: OnBreakerState) {
    this.#options = options;
    this.#clock = clock;
    this.#onState = onState;
  }

  /** Whether a permit is available now. While one message tries a half-open carrier, the others go elsewhere. */
  get admits(): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && this.#clock.steady() >= this.#openUntil);
  }

  /** The caller must `record` the result of a permit. */
  permit(): Permit | undefined {
    if (!this.admits) return undefined;
    if (this.#state === 'closed') return 'regular';
    this.#enter('half-open');
    return 'trial';
  }

  /** `failure`: what went wrong; undefined for a success. */
  record(permit: Permit, failure: string | undefined): void {
    const failed = failure !== undefined;
    // Messages that were under way when the breaker opened say nothing about the carrier since.
    if (this.#state !== (permit === 'trial' ? 'half-open' : 'closed')) return;
    this.#failures = failed ? this.#failures + 1 : 0;
    if (!failed && permit === 'trial') this.#enter('closed');
    if (failed && permit === 'trial') this.#open();
    else if (failed && this.#failures >= this.#options.failures) this.#open(failure);
  }

  /** The carrier's link has come up: earlier failures say nothing about the carrier now. */
  reset(): void {
    this.#failures = 0;
    if (this.#state !== 'closed') this.#enter('closed');
  }

  #open(why?: string): void {
    this.#failures = 0;
    this.#openUntil = this.#clock.steady() + this.#options.resetAfter;
    this.#enter('open', why);
  }

  #enter(state: BreakerState, why?: string): void {
    this.#state = state;
    this.#onState(state, why);
  }
}
