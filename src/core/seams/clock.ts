/**
 * Time, for every part that tells or awaits it. It is handed in, so that a simulated world can run the service under a time of its
 * own. Nothing else asks Node for the time or sets a timer (the linter sees to it).
 */
export interface Clock {
  /** Whole Unix ms, by the clock that everyone who shares the store uses: for times that are stored or compared with others'. */
  now(): number;
  /** Whole Unix ms, by this machine: for certificates, authenticators, people's sessions, and what carriers are told. */
  wall(): number;
  /** Ms since some moment in the past, for durations and waits in this process. Never jumps; stands still while the machine sleeps. */
  steady(): number;
  /** Calls once, `ms` from now. */
  after(ms: number, call: () => void): Timer;
  /** Calls again and again, `ms` apart. */
  every(ms: number, call: () => void): Timer;
}

/** A timer holds the process open until it is due or disposed of, unless it is unreferenced. */
export interface Timer extends Disposable {
  unref(): Timer;
}

/**
 * How far this machine's clock may differ from the store's, in ms, before it serves no requests. Counts, leases and the ends of
 * API keys always use the store's clock; certificates, authenticators, the portal and requests to and from carriers use this machine's.
 */
export const MAX_OFFSET_MS = 60_000;

/** What another node wrote by its own clock may lie so far ahead of ours, in ms: theirs is ahead of the store's, ours behind. */
export const MAX_AHEAD_MS = 2 * MAX_OFFSET_MS;

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  wall: () => Date.now(),
  steady: () => performance.now(),
  after: (ms, call) => setTimeout(call, ms),
  every: (ms, call) => setInterval(call, ms),
};

/**
 * The moment from which a lease counts: until `now` and its length for the store, until `since` and its length for its holder. That is
 * read first: if the process stands still between the two, the lease seems shorter to its holder than it is, and never longer.
 */
export function beginLease(clock: Pick<Clock, 'now' | 'steady'>): {
  /** Steady time. */
  readonly since: number;
  readonly now: number;
} {
  const since = clock.steady();
  return { since, now: clock.now() };
}

/** Is aborted with a TimeoutError after `ms`. It does not hold the process open. */
export function abortAfter(clock: Pick<Clock, 'after'>, ms: number): AbortSignal {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException('It took too long', 'TimeoutError'));
  clock.after(ms, late).unref();
  return controller.signal;
}

/** Resolves after `ms`; rejects with the signal's reason if that is aborted before. */
export function sleep(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return void reject(signal.reason);
    const abort = () => {
      timer[Symbol.dispose]();
      reject(signal?.reason);
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
