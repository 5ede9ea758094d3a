/** The line before one carrier: a message waits for its place (concurrency) and for its turn (rate). */

import type { Channel } from '../../core/destination/channel.ts';
import { StoreFailure } from '../../core/errors/store-failure.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { RateBudget } from '../../core/sending/delivery.ts';
import { LinkedList } from '../../core/sending/linked-list.ts';
import type { Limit } from '../../core/verification/limits.ts';
import { andThen, lastly, type MaybePromise, whileAwaited } from '../maybe-promise.ts';
import { Cutoff } from './cutoff.ts';
import { type GateAnswer, PLACES_TAKEN, pass, unasked } from './gate-answer.ts';
import { createPace, type Pace } from './pace.ts';
import { Semaphore } from './semaphore.ts';

export interface WaitingLineOptions {
  readonly clock: Clock;
  readonly rate?: Limit | undefined;
  /** Shared with other nodes. Without it the rate applies to this node only. */
  readonly budget?: RateBudget | undefined;
  readonly concurrency: number;
  /** For the wait until the carrier is asked, and again for its answer; in ms. */
  readonly timeout: number;
}

/**
 * How long a message that could go elsewhere waits for a place, in ms: long enough for a burst to pass, too short to be
 * noticed.
 */
const PATIENCE_MS = 250;

export class WaitingLine {
  readonly #clock: Clock;
  readonly #places: Semaphore;
  readonly #pace: Pace;
  readonly #timeout: number;
  readonly #underWay = new LinkedList<Cutoff>();
  #stuck = false;

  constructor(carrier: string, { clock, rate, budget, concurrency, timeout }: WaitingLineOptions) {
    this.#clock = clock;
    this.#places = new Semaphore(concurrency);
    this.#pace = createPace(carrier, rate, { clock, budget });
    this.#timeout = timeout;
  }

  /** Whether a message has waited in vain, and no place has become free since. */
  get isStuck(): boolean {
    return this.#stuck;
  }

  /** Asks once place and turn have come, unless the wait ends first. */
  enter(
    channel: Channel,
    ask: (cutoff: Cutoff) => MaybePromise<GateAnswer>,
    elsewhere: () => boolean,
  ): MaybePromise<GateAnswer> {
    const cutoff = new Cutoff(this.#clock, this.#timeout, channel);
    const place = whileAwaited(this.#places.take(cutoff), (late) => this.#await(late, cutoff, elsewhere));
    const answer = andThen(place, () => this.#askInTurn(ask, cutoff));
    return whileAwaited(answer, (late) => this.#conclude(late, cutoff));
  }

  /** Sends away messages that wait for a place or a turn, if their channel is not said on all. Those already at the carrier stay. */
  sendAway(reason: string, channel?: Channel): void {
    for (const cutoff of this.#underWay) {
      if (cutoff.waiting && (channel ?? cutoff.channel) === cutoff.channel) cutoff.end(reason);
    }
  }

  /** Does something else for a message that has a place, and leaves that to others meanwhile. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#places.release();
    try {
      return await work();
    } finally {
      await this.#places.take();
    }
  }

  /** Ends every wait, including those for the carrier's answer. */
  endAll(reason: string): void {
    for (const cutoff of this.#underWay) cutoff.end(reason);
  }

  /**
   * A hanging carrier holds its places until its timeout, and only then the breaker opens. Meanwhile messages that can
   * go elsewhere do: the first after a short wait, the others at once.
   */
  async #await(place: Promise<void>, cutoff: Cutoff, elsewhere: () => boolean): Promise<void> {
    const leave = () => {
      this.#stuck = true;
      cutoff.end(PLACES_TAKEN);
    };
    const patience = elsewhere() ? this.#clock.after(PATIENCE_MS, leave) : undefined;
    try {
      await wait(place, cutoff);
    } finally {
      patience?.[Symbol.dispose]();
    }
  }

  /** Holds a place in the meantime. */
  #askInTurn(ask: (cutoff: Cutoff) => MaybePromise<GateAnswer>, cutoff: Cutoff): MaybePromise<GateAnswer> {
    const turn = whileAwaited(this.#pace(cutoff), (late) => wait(late, cutoff));
    const answer = andThen(turn, () => ask(cutoff));
    return lastly(answer, () => {
      this.#stuck = false;
      this.#places.release();
    });
  }

  async #conclude(answer: Promise<GateAnswer>, cutoff: Cutoff): Promise<GateAnswer> {
    const entry = this.#underWay.add(cutoff);
    try {
      return await answer;
    } catch (error) {
      // A wait for a place or a turn ends early because of the cutoff, or because the budget cannot be asked.
      if (cutoff.reason !== undefined) return unasked(cutoff.reason);
      if (error instanceof StoreFailure) return pass('store away');
      throw error;
    } finally {
      cutoff.clear();
      this.#underWay.remove(entry);
    }
  }
}

async function wait(turn: Promise<void>, cutoff: Cutoff): Promise<void> {
  cutoff.start();
  cutoff.waiting = true;
  try {
    await turn;
  } finally {
    cutoff.waiting = false;
  }
}
