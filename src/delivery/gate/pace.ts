import { type Clock, sleep } from '../../core/seams/clock.ts';
import type { Deadline } from '../../core/sending/carrier.ts';
import type { RateBudget } from '../../core/sending/delivery.ts';
import type { Limit } from '../../core/verification/limits.ts';

/** Waits until a message may go to the carrier. Rejects if the deadline comes first. */
export type Pace = (deadline: Deadline) => Promise<void> | undefined;

/**
 * Spaces messages evenly: a carrier that allows 50 a second gets one every 20 ms, never 50 in the first ms. With a
 * budget, the spacing holds over all nodes that share it.
 */
export function createPace(
  carrier: string,
  rate: Limit | undefined,
  { clock, budget }: { readonly clock: Clock; readonly budget?: RateBudget | undefined },
): Pace {
  if (rate === undefined) return () => undefined;
  const spacing = rate.windowMs / rate.max;
  if (budget !== undefined) {
    return pacedTogether(clock, spacing, (count) => budget.reserve(carrier, spacing, count));
  }
  let next = Number.NEGATIVE_INFINITY;
  return (deadline) => {
    const now = clock.steady();
    next = Math.max(next + spacing, now);
    const wait = next - now;
    return wait < 1 ? undefined : sleep(clock, wait, deadline.signal);
  };
}

/** Maximum number of places per reservation: the more one node reserves, the longer others wait behind it. */
const MOST_AT_ONCE = 100;

/** Messages that arrive during a reservation share the next one. */
function pacedTogether(clock: Clock, spacing: number, reserve: (count: number) => Promise<number>): Pace {
  let waiting: PromiseWithResolvers<number>[] = [];
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        const wait = await reserve(asked.length);
        // From the answer on: counted from the question, a slow one would let messages go before their places.
        const first = clock.steady() + wait;
        for (const [place, { resolve }] of asked.entries()) resolve(first + place * spacing);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    asking = false;
  }

  return async (deadline) => {
    const turn = Promise.withResolvers<number>();
    waiting.push(turn);
    if (!asking) void ask();
    const wait = (await turn.promise) - clock.steady();
    deadline.signal.throwIfAborted();
    if (wait >= 1) await sleep(clock, wait, deadline.signal);
  };
}
