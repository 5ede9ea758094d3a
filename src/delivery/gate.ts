/** What stands between the queue and one carrier: its rate, concurrency, deadline and circuit breaker. */
import type { Carrier, Outcome, OutgoingMessage } from '../core/carrier.ts';
import type { RateBudget } from '../core/delivery.ts';
import { StoreUnavailable } from '../core/errors.ts';
import type { BreakerState } from '../core/funnel.ts';
import type { Limit } from '../core/limits.ts';
import { Breaker, type BreakerOptions } from './breaker.ts';
import { Cutoff } from './cutoff.ts';
import { createPace } from './pace.ts';
import { Places } from './places.ts';

export interface GateOptions {
  readonly rate?: Limit | undefined;
  /** Shared with other nodes; without it the rate is this node's own. */
  readonly budget?: RateBudget | undefined;
  readonly concurrency: number;
  /** For the wait until the carrier is asked, and again for its answer, in ms. */
  readonly timeout: number;
  readonly breaker: BreakerOptions;
}

/** How long a message that could go elsewhere waits for a place, in ms: enough for a burst to pass, too short to be noticed. */
const PATIENCE_MS = 250;

/** The end of a wait after which the message goes to its next carrier. */
const PASSED_OVER = 'passed over';

export interface Gate {
  readonly name: string;
  /** Whether a message would be let in now, were it only to wait. */
  readonly admits: boolean;
  /**
   * One attempt. Answers undefined, at once or after a wait for its turn, when the carrier was not asked: its breaker
   * is open, it wished to be left alone for a while, its places are taken while the message can go `elsewhere`, or the
   * message is not wanted any more.
   */
  submit(
    message: OutgoingMessage,
    isWanted: () => boolean,
    elsewhere: () => boolean,
  ): Promise<Outcome | undefined> | undefined;
  /** Ends every attempt under way with a temporary outcome, and lets none begin. */
  abort(): void;
}

export function createGate(
  carrier: Carrier,
  options: GateOptions,
  onState: (state: BreakerState) => void,
): Gate {
  const pace = createPace(carrier.name, options.rate, options.budget);
  const places = new Places(options.concurrency);
  const underWay = new Set<Cutoff>();
  /** Those under way that wait for a place or a turn. */
  const waiting = new Set<Cutoff>();
  const breaker = new Breaker(options.breaker, (state) => {
    onState(state);
    if (state === 'open') for (const cutoff of waiting) cutoff.end(PASSED_OVER);
  });
  /** A message has waited in vain, and no place has become free since. */
  let stuck = false;
  let pausedUntil = 0;
  let aborted = false;

  /** The end of the attempt's time holds even against a carrier that ignores its signal. */
  async function ask(message: OutgoingMessage, cutoff: Cutoff): Promise<Outcome | undefined> {
    const permit = breaker.permit();
    if (permit === undefined) return undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      cutoff.onEnd((reason) => resolve({ kind: 'temporary', reason }));
      submitSafely(carrier, message, cutoff).then(resolve);
    });
    breaker.record(permit, isFailure(outcome));
    if (outcome.kind === 'temporary' && outcome.throttled && outcome.retryAfterMs !== undefined) {
      pausedUntil = Math.max(pausedUntil, Date.now() + outcome.retryAfterMs);
    }
    return outcome;
  }

  async function wait(turn: Promise<void>, cutoff: Cutoff): Promise<void> {
    waiting.add(cutoff);
    try {
      await turn;
    } finally {
      waiting.delete(cutoff);
    }
  }

  /**
   * A carrier that hangs holds its places until its timeout, and only then does the breaker open. Meanwhile those who
   * can go elsewhere do: the first after a short wait, the others without one.
   */
  async function standInLine(place: Promise<void>, cutoff: Cutoff, elsewhere: () => boolean): Promise<void> {
    const leave = () => {
      stuck = true;
      cutoff.end(PASSED_OVER);
    };
    const patience = elsewhere() ? setTimeout(leave, PATIENCE_MS) : undefined;
    try {
      await wait(place, cutoff);
    } finally {
      clearTimeout(patience);
    }
  }

  async function attempt(
    message: OutgoingMessage,
    isWanted: () => boolean,
    elsewhere: () => boolean,
  ): Promise<Outcome | undefined> {
    const cutoff = new Cutoff(options.timeout);
    underWay.add(cutoff);
    try {
      const place = places.take(cutoff);
      if (place !== undefined) await standInLine(place, cutoff, elsewhere);
      try {
        const turn = pace(cutoff);
        if (turn !== undefined) await wait(turn, cutoff);
        // The carrier has its whole time: a call begun with what the wait left of it would ring, and be cut off.
        if (place !== undefined || turn !== undefined) cutoff.restart();
        if (cutoff.reason !== undefined) return unasked(cutoff.reason);
        return isWanted() ? await ask(message, cutoff) : undefined;
      } finally {
        stuck = false;
        places.release();
      }
    } catch (error) {
      // A wait for a place or a turn ends before its time by the cutoff, or when there is no budget to ask.
      if (cutoff.reason !== undefined) return unasked(cutoff.reason);
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    } finally {
      cutoff.clear();
      underWay.delete(cutoff);
    }
  }

  const admits = () => !aborted && breaker.admits && Date.now() >= pausedUntil;

  return {
    name: carrier.name,
    get admits() {
      return admits();
    },
    submit(message, isWanted, elsewhere) {
      if (!admits() || (stuck && elsewhere())) return undefined;
      return attempt(message, isWanted, elsewhere);
    },
    abort() {
      aborted = true;
      for (const cutoff of underWay) cutoff.end('stopping');
    },
  };
}

/** What comes of an attempt whose wait was ended. */
function unasked(reason: string): Outcome | undefined {
  return reason === PASSED_OVER ? undefined : { kind: 'temporary', reason };
}

/** A carrier that asks us to slow down, finds a telephone busy, or refuses one message for good, is in good health. */
function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'temporary' && !outcome.throttled && !outcome.uncounted;
}

/** A throw is a bug of the carrier's, and opens the breaker like any other failure. */
async function submitSafely(carrier: Carrier, message: OutgoingMessage, cutoff: Cutoff): Promise<Outcome> {
  try {
    return await carrier.submit(message, cutoff);
  } catch (error) {
    return { kind: 'temporary', reason: error instanceof Error ? error.name : 'unknown error' };
  }
}
