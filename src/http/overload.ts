/** Shedding load before latency becomes unbounded: refused requests cost neither a body nor a write. */
import type { RequestHook } from './authentication.ts';
import { sendUnavailable } from './problem.ts';

/** Why no request is taken now: there is more to do than the service can, or it must not work at all. */
export type Unfit = 'overloaded' | 'unavailable';

/** Makes the hook that answers 503 while the service takes no request. */
export function refuseWhenUnfit(findUnfit: () => Unfit | undefined): RequestHook {
  return (_request, reply, done) => {
    const unfit = findUnfit();
    if (unfit === undefined) done();
    else sendUnavailable(reply, unfit);
  };
}

export interface OverloadOptions {
  /** Operations that the store has accepted and not yet answered. */
  readonly pending: () => number;
  /** How many of them, and no more, before new requests are turned away. */
  readonly maxPending: number;
  /** How late the event loop may run before they are, in ms. */
  readonly maxLagMs: number;
}

export const LOAD_LIMITS = {
  /** About half a second of work. */
  maxPending: 5_000,
  maxLagMs: 500,
} as const;

const SAMPLE_MS = 100;

/** Watches the store's queue and the event loop. `isOverloaded` is cheap enough to ask on every request. */
export function createOverloadGuard({ pending, maxPending, maxLagMs }: OverloadOptions): {
  isOverloaded(): boolean;
  close(): void;
} {
  let due = performance.now() + SAMPLE_MS;
  let lag = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lag = now - due;
    due = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return {
    isOverloaded: () => lag > maxLagMs || pending() > maxPending,
    close: () => clearInterval(timer),
  };
}
