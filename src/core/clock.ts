/**
 * Two ways to tell the time. What is kept, or compared with what others wrote, goes by `now`; how long something takes or has
 * to wait inside this process goes by `steady`, which no correction of a clock touches.
 */
export interface Clock {
  /** Unix ms, whole, by the clock that all who share the store go by. */
  now(): number;
  /** Ms since some moment in the past. Never steps; stands still while the machine sleeps. */
  steady(): number;
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), steady: () => performance.now() };
