import type { Clock } from '../core/seams/clock.ts';

const FRESH_MS = 1_000;

/**
 * Asks once for all callers, and repeats the answer or the failure for a second: a question that needs no key must not
 * cost more the more often it is asked.
 */
export function shareAnswer<T>(clock: Pick<Clock, 'after'>, ask: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  const forget = () => {
    shared = undefined;
  };
  return () => {
    if (shared === undefined) {
      shared = ask();
      const age = () => void clock.after(FRESH_MS, forget).unref();
      shared.then(age, age);
    }
    return shared;
  };
}
