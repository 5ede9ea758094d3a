/** Sheds load before latency becomes unbounded: a refused request costs neither a body nor a write. */
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../core/seams/clock.ts';
import { sendUnavailable } from '../problem.ts';
import type { RequestHook } from './authentication.ts';

export type NotReady = 'overloaded' | 'unavailable';

/** Makes the hook that answers 503 while the service accepts no requests, in the words of the door. */
export function refuseWhenNotReady(
  findNotReady: () => NotReady | undefined,
  refuse: (reply: FastifyReply, reason: NotReady) => unknown = sendUnavailable,
): RequestHook {
  return (_request, reply, done) => {
    const reason = findNotReady();
    if (reason === undefined) done();
    else refuse(reply, reason);
  };
}

export interface OverloadOptions {
  readonly clock: Pick<Clock, 'steady' | 'every'>;
  /** Operations that the store has accepted and not answered yet. */
  readonly pending: () => number;
  /** Beyond so many, new requests are refused. */
  readonly maxPending: number;
  /** Beyond this delay of the event loop they are refused, too, in ms. */
  readonly maxLagMs: number;
}

export const LOAD_LIMITS = {
  /** About half a second of work. */
  maxPending: 5_000,
  maxLagMs: 500,
} as const;

const SAMPLE_MS = 100;

/** Watches the store's queue and the event loop. `isOverloaded` is cheap enough to call on every request. */
export function createOverloadGuard({ clock, pending, maxPending, maxLagMs }: OverloadOptions): {
  isOverloaded(): boolean;
  close(): void;
} {
  let due = clock.steady() + SAMPLE_MS;
  let lag = 0;
  let hasRead = true;
  const sample = () => {
    const now = clock.steady();
    // After a standstill so many timers may be due that this one is due again before the loop reads what piled up.
    lag = hasRead ? now - due : Math.max(lag, now - due);
    due = now + SAMPLE_MS;
    hasRead = false;
    setImmediate(() => {
      hasRead = true;
    });
  };
  const timer = clock.every(SAMPLE_MS, sample).unref();
  return {
    // A sample that is overdue counts before it comes: what piled up meanwhile may be read first.
    isOverloaded: () => Math.max(lag, clock.steady() - due) > maxLagMs || pending() > maxPending,
    close: () => timer[Symbol.dispose](),
  };
}
