/** Asks one carrier, within its deadline, circuit breaker and daily cap, and applies its answer to both. */
import { StoreFailure } from '../../core/errors/store-failure.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Carrier, Outcome, OutgoingMessage } from '../../core/sending/carrier.ts';
import type { DailyCap } from '../../core/sending/daily-cap.ts';
import { andThen, type MaybePromise, whileAwaited } from '../maybe-promise.ts';
import type { Breaker, Permit } from './breaker.ts';
import type { Cutoff, StillWanted } from './cutoff.ts';
import {
  BREAKER_OPEN,
  CAP_REACHED,
  type GateAnswer,
  isNotTaken,
  NO_LINK,
  type PassedOver,
  pass,
  unasked,
} from './gate-answer.ts';
import type { LinkWait } from './link-wait.ts';

export interface CarrierCallerParts {
  readonly clock: Clock;
  readonly breaker: Breaker;
  readonly linkWait: LinkWait;
  readonly cap?: DailyCap | undefined;
}

export class CarrierCaller {
  readonly #carrier: Carrier;
  readonly #parts: CarrierCallerParts;
  /** Steady time. */
  #pausedUntil = 0;

  constructor(carrier: Carrier, parts: CarrierCallerParts) {
    this.#carrier = carrier;
    this.#parts = parts;
  }

  /** Why it is useless to wait for the carrier; undefined if it is not. */
  get closedFor(): PassedOver['reason'] | undefined {
    const { breaker, clock, cap } = this.#parts;
    if (!breaker.admits) return BREAKER_OPEN;
    if (clock.steady() < this.#pausedUntil) return 'paused';
    if (cap?.isUsedUp) return CAP_REACHED;
    return undefined;
  }

  /** Whether its day is not used up. While nobody can tell, a capped carrier is not asked. */
  hasPlace(): MaybePromise<boolean> {
    const { cap } = this.#parts;
    if (cap === undefined) return true;
    return andThen(
      cap.take(),
      (place) => {
        if (place !== undefined) cap.giveBack(place);
        return place !== undefined;
      },
      (error) => {
        if (error instanceof StoreFailure) return false;
        throw error;
      },
    );
  }

  ask(message: OutgoingMessage, cutoff: Cutoff, still: StillWanted): MaybePromise<GateAnswer> {
    const { cap } = this.#parts;
    return cap === undefined
      ? this.#ask(message, cutoff, still)
      : this.#askWithin(cap, message, cutoff, still);
  }

  /** A message counts against the daily cap if the carrier took it, or may have taken it. */
  async #askWithin(
    cap: DailyCap,
    message: OutgoingMessage,
    cutoff: Cutoff,
    still: StillWanted,
  ): Promise<GateAnswer> {
    cutoff.start();
    const place = await cap.take();
    if (place === undefined) return pass(CAP_REACHED);
    const result = await this.#ask(message, cutoff, still);
    if (isNotTaken(result)) cap.giveBack(place);
    return result;
  }

  #ask(message: OutgoingMessage, cutoff: Cutoff, still: StillWanted): MaybePromise<GateAnswer> {
    const { breaker, linkWait } = this.#parts;
    if (cutoff.reason !== undefined) return unasked(cutoff.reason);
    if (!still.wanted) return pass('not wanted');
    if (linkWait.isDown) return pass(NO_LINK);
    const permit = breaker.permit();
    if (permit === undefined) return pass(BREAKER_OPEN);
    cutoff.still = still;
    return andThen(submitSafely(this.#carrier, message, cutoff), (outcome) => this.#heed(permit, outcome));
  }

  #heed(permit: Permit, outcome: Outcome): GateAnswer {
    const { breaker, clock } = this.#parts;
    breaker.record(permit, failureOf(outcome));
    if (outcome.kind !== 'temporary') return outcome;
    if (outcome.throttled && outcome.retryAfterMs !== undefined) {
      this.#pausedUntil = Math.max(this.#pausedUntil, clock.steady() + outcome.retryAfterMs);
    }
    return outcome.link === 'down' ? pass(NO_LINK) : outcome;
  }
}

/**
 * What counts against the carrier. It is healthy if it asks us to slow down, finds a telephone busy, loses its link, or refuses one
 * message permanently.
 */
function failureOf(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'temporary') return undefined;
  const isHealthy = outcome.throttled || outcome.uncounted || outcome.link !== undefined;
  return isHealthy ? undefined : outcome.reason;
}

/** A throw is a bug in the carrier's code. It counts for the breaker like any other failure. */
function submitSafely(carrier: Carrier, message: OutgoingMessage, cutoff: Cutoff): MaybePromise<Outcome> {
  try {
    return whileAwaited(carrier.submit(message, cutoff), (late) => endBy(cutoff, late));
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Outcome {
  return { kind: 'temporary', reason: error instanceof Error ? error.name : 'unknown error', unclear: true };
}

/**
 * Ends the attempt in time even if the carrier ignores its signal. The time starts again for the carrier: a call that
 * had only the rest of a wait would ring and be cut off.
 */
function endBy(cutoff: Cutoff, answer: Promise<Outcome>): Promise<Outcome> {
  cutoff.restart();
  return new Promise((resolve) => {
    cutoff.onEnd((reason) => resolve({ kind: 'temporary', reason, unclear: true }));
    answer.then(resolve, (error) => resolve(failed(error)));
  });
}
