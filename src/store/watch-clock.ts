/** Notices when the store's clock is set, corrects the times it left, and says whether this machine's clock can be trusted. */
import type { Logger } from 'pino';
import { type Clock, MAX_OFFSET_MS } from '../core/seams/clock.ts';
import { repeat } from '../core/seams/repeat.ts';
import { Aging, STEP_MS } from './aging.ts';
import type { Store } from './port.ts';

const EVERY_MS = 1_000;
/** What took its time before the clock was set, and waits for somebody outside, is written within this. */
const UNDER_WAY_MS = 60_000;

export interface ClockWatch extends Disposable {
  /** The store's clock, for everyone who writes to it. It remembers the latest time it told: that may lie ahead after a step back. */
  readonly clock: Clock;
  /** What is as old as this may be deleted (store/aging.ts). Rejects while the store cannot be asked. */
  readonly aged: () => Promise<number>;
  /** Why no request may be served with this clock; undefined while it is right. */
  readonly trouble: string | undefined;
}

export interface ClockWatchDeps {
  readonly store: Pick<Store, 'clock' | 'clockOffset' | 'clampFutureTimes' | 'newestBefore'>;
  /** The longest lease, in ms. */
  readonly lease: number;
  /** Called with each check: how many ms this machine's clock is ahead of the store's. */
  readonly see: (offset: number) => void;
  readonly log: Logger;
}

/** Checks at once and then every second, until disposed of. */
export function watchClock({ store, lease, see, log }: ClockWatchDeps): ClockWatch {
  const { steady } = store.clock;
  /** The latest time that was told, even between two checks. */
  let latest = store.clock.now();
  const clock: Clock = {
    ...store.clock,
    now() {
      const now = store.clock.now();
      if (now > latest) latest = now;
      return now;
    },
  };
  const aging = new Aging(clock, store);
  // The process before this one may have ended before the clock was corrected.
  let isDue = true;
  /** Steady time at which times are corrected once more. */
  let againAt = Number.POSITIVE_INFINITY;
  let trouble: string | undefined;

  const look = async () => {
    const step = aging.look();
    const now = clock.now();
    if (Math.abs(step) >= STEP_MS) log.warn({ seconds: step / 1_000 }, 'the clock was set');
    if (latest - now >= STEP_MS) {
      isDue = true;
      againAt = steady() + UNDER_WAY_MS;
    }
    if (steady() >= againAt) {
      isDue = true;
      againAt = Number.POSITIVE_INFINITY;
    }
    latest = now;
    judge();
    if (isDue) await clampFutureTimes();
    return EVERY_MS;
  };

  function judge(): void {
    const offset = store.clockOffset;
    see(offset);
    const isOff = Math.abs(offset) > MAX_OFFSET_MS;
    const before = trouble;
    const seconds = Math.round(Math.abs(offset) / 1_000);
    trouble = isOff
      ? `${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} the database's; set it by NTP on both machines`
      : undefined;
    if (isOff && before === undefined) log.error({ offset }, `no request is served: the clock is ${trouble}`);
    if (!isOff && before !== undefined) log.info({ offset }, 'the clock is right again');
  }

  async function clampFutureTimes(): Promise<void> {
    const rows = await store.clampFutureTimes(clock.now(), lease);
    isDue = false;
    if (rows > 0) log.warn({ rows }, 'times ahead of the clock moved back to now');
  }

  judge();
  const looking = repeat(clock, 0, look, (error) => {
    log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'times not corrected yet');
    return EVERY_MS;
  });
  return {
    clock,
    aged: () => aging.now(),
    get trouble() {
      return trouble;
    },
    [Symbol.dispose]: () => looking[Symbol.dispose](),
  };
}
