/** A clock for tests, which moves only when told to. */
import type { Clock } from './clock.ts';

export interface ManualClock extends Clock {
  /** Time passes. */
  pass(ms: number): void;
  /** Someone sets the clock: no time passes. */
  step(ms: number): void;
}

export function createManualClock(start = Date.now()): ManualClock {
  let now = start;
  let steady = 1_000;
  return {
    now: () => now,
    steady: () => steady,
    pass(ms) {
      now += ms;
      steady += ms;
    },
    step(ms) {
      now += ms;
    },
  };
}
