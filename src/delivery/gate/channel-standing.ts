/**
 * How a carrier stands on a channel: its breaker, and the pause that it asked for. For each channel it may have another API and other
 * credentials, so what fails on one says nothing about the others. A link is the same for all.
 */
import type { Channel } from '../../core/destination/channel.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { MINUTE_MS } from '../../core/seams/spans.ts';
import type { BreakerState } from '../../core/sending/delivery-metrics.ts';
import { Breaker, type BreakerOptions, type OnBreakerState } from './breaker.ts';
import { BREAKER_OPEN, PAUSED, type PassedOver, pass } from './gate-answer.ts';

/** As long as codes live. Whatever a carrier asks for, it is tried again then. */
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

export class ChannelStanding {
  readonly breaker: Breaker;
  readonly #clock: Pick<Clock, 'steady'>;
  /** Steady time. */
  #pausedUntil = 0;

  constructor(breaker: Breaker, clock: Pick<Clock, 'steady'>) {
    this.breaker = breaker;
    this.#clock = clock;
  }

  /** Why it is useless to wait for the carrier; undefined if it is not. */
  get closed(): PassedOver | undefined {
    if (!this.breaker.admits) return pass(BREAKER_OPEN);
    const pauseMs = this.#pausedUntil - this.#clock.steady();
    return pauseMs > 0 ? { kind: 'passed', reason: PAUSED, pauseMs } : undefined;
  }

  /** The carrier wants no messages for so long, in ms. */
  pause(ms: number): void {
    const until = this.#clock.steady() + Math.min(ms, LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }
}

interface ChannelStandingsParts {
  readonly clock: Pick<Clock, 'steady'>;
  readonly breaker: BreakerOptions;
  /** One for all channels. */
  readonly isOne: boolean;
  /** Hears of the worst state of all channels, when that changes or a channel fails. */
  readonly onState: OnBreakerState;
  /** The breaker of these channels has opened; all of them if undefined. */
  readonly onOpen: (channel: Channel | undefined) => void;
}

const WORST: readonly BreakerState[] = ['open', 'half-open', 'closed'];

export class ChannelStandings {
  readonly #parts: ChannelStandingsParts;
  readonly #all = new Map<Channel | undefined, ChannelStanding>();
  readonly #states = new Map<Channel | undefined, BreakerState>();
  #told: BreakerState = 'closed';

  constructor(parts: ChannelStandingsParts) {
    this.#parts = parts;
  }

  on(channel: Channel): ChannelStanding {
    const own = this.#parts.isOne ? undefined : channel;
    const known = this.#all.get(own);
    if (known !== undefined) return known;
    const { breaker, clock } = this.#parts;
    const made = new ChannelStanding(
      new Breaker(breaker, clock, (state, why) => this.#see(own, state, why)),
      clock,
    );
    this.#all.set(own, made);
    return made;
  }

  /** Earlier failures say nothing about the carrier now. */
  reset(): void {
    for (const { breaker } of this.#all.values()) breaker.reset();
  }

  #see(channel: Channel | undefined, state: BreakerState, why: string | undefined): void {
    const { onState, onOpen } = this.#parts;
    this.#states.set(channel, state);
    const states = [...this.#states.values()];
    const worst = WORST.find((each) => states.includes(each)) ?? 'closed';
    if (worst !== this.#told || why !== undefined) onState(worst, why);
    this.#told = worst;
    if (state === 'open') onOpen(channel);
  }
}
