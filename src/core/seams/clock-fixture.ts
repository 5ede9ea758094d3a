/** Clocks for tests. */
import { type Clock, SYSTEM_CLOCK } from './clock.ts';

/** It moves only when told to. Its timers are the machine's. */
export interface ManualClock extends Clock {
  /** Time passes. */
  pass(ms: number): void;
  /** Someone sets the clock that all share: no time passes. */
  step(ms: number): void;
  /** Someone sets this machine's clock, or it has slept. */
  stepWall(ms: number): void;
}

export function createManualClock(start = Date.now()): ManualClock {
  let now = start;
  let wall = start;
  let steady = 1_000;
  return {
    ...SYSTEM_CLOCK,
    now: () => now,
    wall: () => wall,
    steady: () => steady,
    pass(ms) {
      now += ms;
      wall += ms;
      steady += ms;
    },
    step(ms) {
      now += ms;
    },
    stepWall(ms) {
      wall += ms;
    },
  };
}

const TIMES_SOONER = 25;

/** The machine's time, with timers that are due much sooner: for tests in which something has to come about, however late. */
export const HASTY_CLOCK: Clock = {
  ...SYSTEM_CLOCK,
  after: (ms, call) => setTimeout(call, ms / TIMES_SOONER),
  every: (ms, call) => setInterval(call, ms / TIMES_SOONER),
};
