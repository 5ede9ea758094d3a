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

/**
 * How far this machine's clock may differ from the store's, in ms, before it serves no requests. Counts and leases always use the
 * store's clock; certificates, authenticators, the portal and requests to and from carriers use this machine's.
 */
export const MAX_OFFSET_MS = 60_000;

/** What another node wrote by its own clock may lie so far ahead of ours, in ms: theirs is ahead of the store's, ours behind. */
export const MAX_AHEAD_MS = 2 * MAX_OFFSET_MS;

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), steady: () => performance.now() };
