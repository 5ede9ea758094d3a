/**
 * Two ways to tell the time: `now` for times that are stored or compared with those of others, and `steady` for durations
 * and waits inside this process, which no correction of a clock affects.
 */
export interface Clock {
  /** Whole Unix ms, by the clock that everyone who shares the store uses. */
  now(): number;
  /** Ms since some moment in the past. Never jumps; stands still while the machine sleeps. */
  steady(): number;
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), steady: () => performance.now() };
