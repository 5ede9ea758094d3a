/** Shedding load before latency becomes unbounded: refused requests cost neither a body nor a write. */
import type { RequestHook } from './authentication.ts';
import { sendUnavailable } from './problem.ts';

/** Makes the hook that answers 503 while the service has more than it can do. */
export function refuseWhenOverloaded(isOverloaded: () => boolean): RequestHook {
  return (_request, reply, done) => {
    if (isOverloaded()) sendUnavailable(reply, 'overloaded');
    else done();
  };
}

export interface OverloadOptions {
  /** Operations that the store has accepted and not yet answered. */
  readonly pending: () => number;
  readonly maxPending: number;
  /** How late the event loop may run, in ms. */
  readonly maxLagMs: number;
}

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
