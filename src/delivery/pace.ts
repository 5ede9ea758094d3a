import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../core/carrier.ts';
import type { Limit } from '../core/limits.ts';

/** Waits until a message may go to the carrier. Rejects when the deadline comes first. */
export type Pace = (deadline: Deadline) => Promise<void> | undefined;

/** Spaces messages evenly: a carrier that allows 50 a second is sent one each 20 ms, never 50 in its first ms. */
export function createPace(rate: Limit | undefined): Pace {
  if (rate === undefined) return () => undefined;
  const spacing = rate.windowMs / rate.max;
  let next = Number.NEGATIVE_INFINITY;
  return (deadline) => {
    const now = performance.now();
    next = Math.max(next + spacing, now);
    const wait = next - now;
    return wait < 1 ? undefined : sleep(wait, undefined, { signal: deadline.signal });
  };
}
