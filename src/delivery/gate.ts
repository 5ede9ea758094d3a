/** What stands between the queue and one carrier: its rate, concurrency, deadline and circuit breaker. */
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import type { Carrier, Outcome, OutgoingMessage } from '../core/carrier.ts';
import type { BreakerState } from '../core/funnel.ts';
import type { Limit } from '../core/limits.ts';
import { createPace } from './pace.ts';
import { Places } from './places.ts';

export interface GateOptions {
  readonly rate?: Limit | undefined;
  readonly concurrency: number;
  /** For one attempt with all its waiting, in ms. */
  readonly timeout: number;
  readonly breaker: { readonly failures: number; readonly resetAfter: number };
}

export interface Gate {
  readonly name: string;
  readonly state: BreakerState;
  /**
   * One attempt. Answers undefined, at once, when the carrier is not to be asked now: its breaker is open, or it
   * wished to be left alone for a while.
   */
  submit(message: OutgoingMessage): Promise<Outcome> | undefined;
  /** Ends every attempt under way with a temporary outcome, and lets none begin. */
  abort(): void;
}

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

export function createGate(
  carrier: Carrier,
  options: GateOptions,
  onState: (state: BreakerState) => void,
): Gate {
  const pace = createPace(options.rate);
  const places = new Places(options.concurrency);
  const breaker = circuitBreaker(
    handleWhenResult((outcome) => isFailure(outcome as Outcome)),
    { halfOpenAfter: options.breaker.resetAfter, breaker: new ConsecutiveBreaker(options.breaker.failures) },
  );
  breaker.onStateChange((state) => onState(STATES[state]));
  const underWay = new Set<AbortController>();
  let openUntil = 0;
  let pausedUntil = 0;
  let aborted = false;
  breaker.onBreak(() => {
    openUntil = Date.now() + options.breaker.resetAfter;
  });

  /** The deadline holds even against a carrier that ignores its signal. */
  function deadline(): { controller: AbortController; passed: Promise<Outcome>; clear: () => void } {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new Error('deadline')), options.timeout);
    underWay.add(controller);
    const passed = new Promise<Outcome>((resolve) => {
      const settle = () => resolve({ kind: 'temporary', reason: (signal.reason as Error).message });
      signal.addEventListener('abort', settle, { once: true });
    });
    return {
      controller,
      passed,
      clear() {
        clearTimeout(timer);
        underWay.delete(controller);
      },
    };
  }

  async function attempt(message: OutgoingMessage): Promise<Outcome> {
    const { controller, passed, clear } = deadline();
    const { signal } = controller;
    try {
      const place = places.take(signal);
      if (place !== undefined) await place;
      try {
        const turn = pace(signal);
        if (turn !== undefined) await turn;
        // The breaker sees only what the carrier did; time spent waiting for a place is no fault of the carrier's.
        return await breaker.execute(() => Promise.race([submitSafely(carrier, message, signal), passed]));
      } finally {
        places.release();
      }
    } catch {
      // Waiting for a place or a turn took too long, or the breaker opened meanwhile.
      return {
        kind: 'temporary',
        reason: signal.aborted ? (signal.reason as Error).message : 'breaker open',
      };
    } finally {
      clear();
    }
  }

  return {
    name: carrier.name,
    get state() {
      return STATES[breaker.state];
    },
    submit(message) {
      const now = Date.now();
      // While one message tries a half-open carrier, the others go elsewhere instead of waiting for it.
      const spared =
        breaker.state === CircuitState.HalfOpen || (breaker.state === CircuitState.Open && now < openUntil);
      if (aborted || spared || now < pausedUntil) return undefined;
      return attempt(message).then((outcome) => {
        if (outcome.kind === 'temporary' && outcome.throttled && outcome.retryAfterMs !== undefined) {
          pausedUntil = Math.max(pausedUntil, Date.now() + outcome.retryAfterMs);
        }
        return outcome;
      });
    },
    abort() {
      aborted = true;
      for (const controller of underWay) controller.abort(new Error('stopping'));
    },
  };
}

/** A carrier that asks us to slow down, or refuses one message for good, is in good health. */
function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'temporary' && !outcome.throttled;
}

/** A throw is a bug of the carrier's, and must open the breaker like any other failure: cockatiel lets it pass. */
async function submitSafely(
  carrier: Carrier,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await carrier.submit(message, signal);
  } catch (error) {
    return { kind: 'temporary', reason: error instanceof Error ? error.name : 'unknown error' };
  }
}
