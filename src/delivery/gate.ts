/** What stands between the queue and one carrier: its link, rate, concurrency, deadline, circuit breaker and daily cap. */
import type { Carrier, Outcome, OutgoingMessage } from '../core/carrier.ts';
import type { Clock } from '../core/clock.ts';
import type { DailyCap } from '../core/daily-cap.ts';
import type { RateBudget } from '../core/delivery.ts';
import { StoreFailure } from '../core/errors.ts';
import type { BreakerState } from '../core/funnel.ts';
import type { Limit } from '../core/limits.ts';
import { LinkedList } from '../core/linked-list.ts';
import { Breaker, type BreakerOptions, type Permit } from './breaker.ts';
import { Cutoff } from './cutoff.ts';
import { LinkWait } from './link-wait.ts';
import { createPace } from './pace.ts';
import { Places } from './places.ts';

export interface GateOptions {
  readonly clock: Clock;
  readonly rate?: Limit | undefined;
  /** Shared with other nodes; without it the rate is this node's own. */
  readonly budget?: RateBudget | undefined;
  readonly concurrency: number;
  /** For the wait until the carrier is asked, and again for its answer, in ms. */
  readonly timeout: number;
  readonly breaker: BreakerOptions;
  readonly cap?: DailyCap | undefined;
}

/** How long a message that could go elsewhere waits for a place, in ms: enough for a burst to pass, too short to be noticed. */
const PATIENCE_MS = 250;

/** The carrier was not asked, for a reason in a few words. */
export interface Passed {
  readonly kind: 'passed';
  readonly reason:
    | typeof NO_LINK
    | 'breaker open'
    | 'paused'
    | 'daily cap reached'
    | 'places taken'
    | 'store away'
    | 'not wanted'
    | 'stopping';
}

export type Answer = Outcome | Passed;

/** Looked at again right before the carrier is asked. */
export interface Wish {
  readonly wanted: boolean;
}

/** Nothing has reached the carrier: the link comes back by itself, and then the message goes at once. */
export const NO_LINK = 'no link';
const BREAKER_OPEN = 'breaker open';
const PLACES_TAKEN = 'places taken';

export interface Gate {
  readonly name: string;
  /** Whether a message would be let in now, were it only to wait. */
  readonly admits: boolean;
  /**
   * One attempt, unless the carrier must not be asked, or its places are taken while the message can go `elsewhere`:
   * that is known at once, or after a wait for its turn.
   */
  submit(message: OutgoingMessage, wish: Wish, elsewhere: () => boolean): Answer | Promise<Answer>;
  /** Ends every attempt under way with a temporary outcome, and lets none begin. */
  abort(): void;
}

export function createGate(
  carrier: Carrier,
  options: GateOptions,
  onState: (state: BreakerState) => void,
  onLinkTrouble: (trouble: string) => void = () => {},
): Gate {
  const pace = createPace(carrier.name, options.rate, options.budget);
  const places = new Places(options.concurrency);
  const underWay = new LinkedList<Cutoff>();
  const breaker = new Breaker(options.breaker, options.clock, (state) => {
    onState(state);
    if (state === 'open') for (const cutoff of underWay) if (cutoff.waiting) cutoff.end(BREAKER_OPEN);
  });
  const { cap, clock } = options;
  const linkWait = new LinkWait(carrier.link, { up: () => breaker.reset(), down: onLinkTrouble });
  /** A message has waited in vain, and no place has become free since. */
  let stuck = false;
  /** Steady time. */
  let pausedUntil = 0;
  let aborted = false;

  /** A place of the day's is spent on what the carrier takes, or may have taken. */
  async function askWithinCap(
    cap: DailyCap,
    message: OutgoingMessage,
    cutoff: Cutoff,
    wish: Wish,
  ): Promise<Answer> {
    cutoff.start();
    const place = await cap.take();
    if (place === undefined) return pass('daily cap reached');
    const result = await ask(message, cutoff, wish);
    if (isNotTaken(result)) cap.giveBack(place);
    return result;
  }

  function ask(message: OutgoingMessage, cutoff: Cutoff, wish: Wish): Answer | Promise<Answer> {
    if (cutoff.reason !== undefined) return unasked(cutoff.reason);
    if (!wish.wanted) return pass('not wanted');
    if (linkWait.isDown) return pass(NO_LINK);
    const permit = breaker.permit();
    if (permit === undefined) return pass(BREAKER_OPEN);
    const answer = submitSafely(carrier, message, cutoff);
    if (answer instanceof Promise) return endBy(cutoff, answer).then((outcome) => heed(permit, outcome));
    return heed(permit, answer);
  }

  function heed(permit: Permit, outcome: Outcome): Answer {
    breaker.record(permit, isFailure(outcome));
    if (outcome.kind !== 'temporary') return outcome;
    if (outcome.throttled && outcome.retryAfterMs !== undefined) {
      pausedUntil = Math.max(pausedUntil, clock.steady() + outcome.retryAfterMs);
    }
    return outcome.link === 'down' ? pass(NO_LINK) : outcome;
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

  /**
   * A carrier that hangs holds its places until its timeout, and only then does the breaker open. Meanwhile those who
   * can go elsewhere do: the first after a short wait, the others without one.
   */
  async function standInLine(place: Promise<void>, cutoff: Cutoff, elsewhere: () => boolean): Promise<void> {
    const leave = () => {
      stuck = true;
      cutoff.end(PLACES_TAKEN);
    };
    const patience = elsewhere() ? setTimeout(leave, PATIENCE_MS) : undefined;
    try {
      await wait(place, cutoff);
    } finally {
      clearTimeout(patience);
    }
  }

  /** Asks, holding a place. A promise only where something is waited for: it costs as much as all the rest. */
  function askInTurn(message: OutgoingMessage, cutoff: Cutoff, wish: Wish): Answer | Promise<Answer> {
    const askNow = () =>
      cap === undefined ? ask(message, cutoff, wish) : askWithinCap(cap, message, cutoff, wish);
    const turn = pace(cutoff);
    const answer = turn === undefined ? askNow() : wait(turn, cutoff).then(askNow);
    if (answer instanceof Promise) return answer.finally(leavePlace);
    leavePlace();
    return answer;
  }

  function leavePlace(): void {
    stuck = false;
    places.release();
  }

  function attempt(message: OutgoingMessage, wish: Wish, elsewhere: () => boolean): Answer | Promise<Answer> {
    const cutoff = new Cutoff(options.timeout);
    const place = places.take(cutoff);
    const answer =
      place === undefined
        ? askInTurn(message, cutoff, wish)
        : standInLine(place, cutoff, elsewhere).then(() => askInTurn(message, cutoff, wish));
    return answer instanceof Promise ? conclude(answer, cutoff) : answer;
  }

  async function conclude(answer: Promise<Answer>, cutoff: Cutoff): Promise<Answer> {
    const entry = underWay.add(cutoff);
    try {
      return await answer;
    } catch (error) {
      // A wait for a place or a turn ends before its time by the cutoff, or when there is no budget to ask.
      if (cutoff.reason !== undefined) return unasked(cutoff.reason);
      if (error instanceof StoreFailure) return pass('store away');
      throw error;
    } finally {
      cutoff.clear();
      underWay.remove(entry);
    }
  }

  /** Whoever can go elsewhere does. Nobody is asked meanwhile, and nothing counts against the carrier. */
  async function awaitLink(message: OutgoingMessage, wish: Wish, elsewhere: () => boolean): Promise<Answer> {
    if (elsewhere()) return pass(NO_LINK);
    const up = linkWait.wait(message.expiresAt - clock.now());
    if (up === undefined) return pass(PLACES_TAKEN);
    return (await up) ? submit(message, wish, elsewhere) : pass(aborted ? 'stopping' : NO_LINK);
  }

  function submit(message: OutgoingMessage, wish: Wish, elsewhere: () => boolean): Answer | Promise<Answer> {
    if (linkWait.isDown && !aborted) return awaitLink(message, wish, elsewhere);
    const closed = closedFor() ?? (stuck && elsewhere() ? PLACES_TAKEN : undefined);
    return closed === undefined ? attempt(message, wish, elsewhere) : pass(closed);
  }

  function closedFor(): Passed['reason'] | undefined {
    if (aborted) return 'stopping';
    if (!breaker.admits) return BREAKER_OPEN;
    if (clock.steady() < pausedUntil) return 'paused';
    if (cap?.isUsedUp) return 'daily cap reached';
    return undefined;
  }

  return {
    name: carrier.name,
    get admits() {
      return !linkWait.isDown && closedFor() === undefined;
    },
    submit,
    abort() {
      aborted = true;
      linkWait.abort();
      for (const cutoff of underWay) cutoff.end('stopping');
    },
  };
}

/** What comes of an attempt whose wait was ended. */
function unasked(reason: string): Answer {
  if (reason === BREAKER_OPEN || reason === PLACES_TAKEN) return pass(reason);
  return { kind: 'temporary', reason };
}

function pass(reason: Passed['reason']): Passed {
  return { kind: 'passed', reason };
}

/** A carrier that asks us to slow down, finds a telephone busy, loses its link, or refuses one message for good, is in good health. */
function isFailure(outcome: Outcome): boolean {
  if (outcome.kind !== 'temporary') return false;
  return !outcome.throttled && !outcome.uncounted && outcome.link === undefined;
}

/** A message that may have been taken is not. */
function isNotTaken(result: Answer): boolean {
  if (result.kind === 'temporary') return !result.unclear && result.link !== 'lost';
  return result.kind === 'passed' || result.kind === 'permanent';
}

/** A throw is a bug of the carrier's, and opens the breaker like any other failure. */
function submitSafely(
  carrier: Carrier,
  message: OutgoingMessage,
  cutoff: Cutoff,
): Outcome | Promise<Outcome> {
  try {
    const answer = carrier.submit(message, cutoff);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Outcome {
  return { kind: 'temporary', reason: error instanceof Error ? error.name : 'unknown error', unclear: true };
}

/**
 * The end of the attempt's time holds even against a carrier that ignores its signal. The carrier has its whole time: a
 * call begun with what a wait left of it would ring, and be cut off.
 */
function endBy(cutoff: Cutoff, answer: Promise<Outcome>): Promise<Outcome> {
  cutoff.restart();
  return new Promise((resolve) => {
    cutoff.onEnd((reason) => resolve({ kind: 'temporary', reason, unclear: true }));
    answer.then(resolve);
  });
}
