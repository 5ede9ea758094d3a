/** A circuit breaker: after so many failures in a row a carrier is left alone for a while, then tried with one message. */
import type { Clock } from '../core/clock.ts';
import type { BreakerState } from '../core/funnel.ts';

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open, in ms. */
  readonly resetAfter: number;
}

/** A permission to ask the carrier once. The answer to a trial decides over the state. */
export type Permit = 'regular' | 'trial';

export class Breaker {
  readonly #options: BreakerOptions;
  readonly #onState: (state: BreakerState) => void;
  readonly #clock: Pick<Clock, 'steady'>;
  #state: BreakerState = 'closed';
  #failures = 0;
  /** Steady time. */
  #openUntil = 0;

  constructor(options: BreakerOptions, clock: Pick<Clock, 'steady'>, onState: (state: BreakerState) => void) {
    this.#options = options;
    this.#clock = clock;
    this.#onState = onState;
  }

  /** Whether a permit can be had now. While one message tries a half-open carrier, the others go elsewhere. */
  get admits(): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && this.#clock.steady() >= this.#openUntil);
  }

  /** Whoever gets a permit must `record` its result. */
  permit(): Permit | undefined {
    if (!this.admits) return undefined;
    if (this.#state === 'closed') return 'regular';
    this.#enter('half-open');
    return 'trial';
  }

  record(permit: Permit, failed: boolean): void {
    // What was under way when the breaker opened says nothing about the carrier since.
    if (this.#state !== (permit === 'trial' ? 'half-open' : 'closed')) return;
    this.#failures = failed ? this.#failures + 1 : 0;
    if (!failed && permit === 'trial') this.#enter('closed');
    if (failed && (permit === 'trial' || this.#failures >= this.#options.failures)) this.#open();
  }

  /** The carrier's link has come up: what failed before it says nothing about the carrier since. */
  reset(): void {
    this.#failures = 0;
    if (this.#state !== 'closed') this.#enter('closed');
  }

  #open(): void {
    this.#failures = 0;
    this.#openUntil = this.#clock.steady() + this.#options.resetAfter;
    this.#enter('open');
  }

  #enter(state: BreakerState): void {
    this.#state = state;
    this.#onState(state);
  }
}
