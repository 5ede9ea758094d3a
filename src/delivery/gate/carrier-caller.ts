/** Asks one carrier, within its deadline, circuit breaker and daily cap, and applies its answer to both. */
import type { Channel } from '../../core/destination/channel.ts';
import type { Carrier, Outcome, OutgoingMessage } from '../../core/sending/carrier.ts';
import type { DailyCap } from '../../core/sending/daily-cap.ts';
import { andThen, type MaybePromise, whileAwaited } from '../maybe-promise.ts';
import type { Permit } from './breaker.ts';
import type { ChannelStanding, ChannelStandings } from './channel-standing.ts';
import type { Cutoff, StillWanted } from './cutoff.ts';
import {
  ARRIVED,
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
  readonly standings: ChannelStandings;
  readonly linkWait: LinkWait;
  readonly cap?: DailyCap | undefined;
  /** Does something else than to ask the carrier, without the place of the message meanwhile. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
}

export class CarrierCaller {
  readonly #carrier: Carrier;
  readonly #parts: CarrierCallerParts;

  constructor(carrier: Carrier, parts: CarrierCallerParts) {
    this.#carrier = carrier;
    this.#parts = parts;
  }

  /** Why it is useless to wait for the carrier; undefined if it is not. */
  closedFor(channel: Channel): PassedOver | undefined {
    const { standings, cap } = this.#parts;
    return standings.on(channel).closed ?? (cap?.isUsedUp ? pass(CAP_REACHED) : undefined);
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
    const standing = this.#parts.standings.on(message.channel);
    const obstacle = this.#obstacleFor(standing, cutoff, still);
    if (obstacle !== undefined) return obstacle;
    return still.takeBack === undefined
      ? this.#submit(standing, message, cutoff, still)
      : this.#submitUnlessArrived(still.takeBack, standing, message, cutoff, still);
  }

  #obstacleFor(standing: ChannelStanding, cutoff: Cutoff, still: StillWanted): GateAnswer | undefined {
    if (cutoff.reason !== undefined) return unasked(cutoff.reason);
    if (!still.wanted) return pass('not wanted');
    if (this.#parts.linkWait.isDown) return pass(NO_LINK);
    return standing.breaker.admits ? undefined : pass(BREAKER_OPEN);
  }

  /** Nothing else is in the way of the message: where it could not go, what was sent before would be taken back for nothing. */
  async #submitUnlessArrived(
    takeBack: () => Promise<boolean>,
    standing: ChannelStanding,
    message: OutgoingMessage,
    cutoff: Cutoff,
    still: StillWanted,
  ): Promise<GateAnswer> {
    // The time is for the wait for this carrier, and for its answer.
    cutoff.clear();
    if (await this.#parts.aside(takeBack)) return pass(ARRIVED);
    return (
      this.#obstacleFor(standing, cutoff, still) ?? (await this.#submit(standing, message, cutoff, still))
    );
  }

  #submit(
    standing: ChannelStanding,
    message: OutgoingMessage,
    cutoff: Cutoff,
    still: StillWanted,
  ): MaybePromise<GateAnswer> {
    const permit = standing.breaker.permit();
    if (permit === undefined) return pass(BREAKER_OPEN);
    cutoff.still = still;
    const answer = submitSafely(this.#carrier, message, cutoff);
    return andThen(answer, (outcome) => heed(standing, permit, outcome));
  }
}

function heed(standing: ChannelStanding, permit: Permit, outcome: Outcome): GateAnswer {
  standing.breaker.record(permit, failureOf(outcome));
  if (outcome.kind !== 'temporary') return outcome;
  if (outcome.throttled && outcome.retryAfterMs !== undefined) standing.pause(outcome.retryAfterMs);
  return outcome.link === 'down' ? pass(NO_LINK) : outcome;
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
    cutoff.onEnd((reason) =>
      resolve({ kind: 'temporary', reason, ...(!cutoff.unsent && { unclear: true }) }),
    );
    answer.then(resolve, (error) => resolve(failed(error)));
  });
}
