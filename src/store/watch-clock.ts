/** Notices that the store's clock was set, puts right what it left behind, and says whether this machine's can be trusted. */
import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import type { Store } from './port.ts';

const EVERY_MS = 1_000;
/** Clocks are slewed by less; a look at another machine's is wrong by less. */
const STEP_MS = 1_000;
/**
 * How far the clock of this machine may be off the store's. What the service counts and leases goes by the store's clock in any
 * case; certificates, authenticators, and what carriers sign or are asked for go by this one's.
 */
export const MAX_OFFSET_MS = 60_000;

export interface ClockWatch extends Disposable {
  /** The store's clock for all who write to it: what it told them is what may lie ahead when it is set back. */
  readonly clock: Clock;
  /** Why requests must not be served by this clock; undefined while it is right. */
  readonly trouble: string | undefined;
}

export interface ClockWatchDeps {
  readonly store: Pick<Store, 'clock' | 'clockOffset' | 'heal'>;
  /** The longest lease that is asked for, in ms. */
  readonly lease: number;
  /** Told at each look by how many ms this machine's clock is ahead of the store's. */
  readonly see: (offset: number) => void;
  readonly log: Logger;
}

/** Looks each second, the first time at once, until disposed of. */
export function watchClock({ store, lease, see, log }: ClockWatchDeps): ClockWatch {
  const { steady } = store.clock;
  /** The latest time that was told, be it only for a moment between two looks. */
  let latest = store.clock.now();
  const clock: Clock = {
    steady,
    now() {
      const now = store.clock.now();
      if (now > latest) latest = now;
      return now;
    },
  };
  let timer: NodeJS.Timeout | undefined;
  /** What the clock is ahead of steady time. */
  let base = latest - steady();
  // The process before this one may have ended before the clock was put right.
  let isDue = true;
  let trouble: string | undefined;

  const look = async () => {
    const now = clock.now();
    const step = now - steady() - base;
    base += step;
    if (Math.abs(step) >= STEP_MS) log.warn({ seconds: step / 1_000 }, 'the clock was set');
    isDue ||= latest - now >= STEP_MS;
    latest = now;
    judge();
    if (isDue) await heal();
    if (timer !== undefined) timer = setTimeout(look, EVERY_MS);
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

  async function heal(): Promise<void> {
    try {
      const rows = await store.heal(clock.now(), lease);
      isDue = false;
      if (rows > 0) log.warn({ rows }, 'what was dated ahead of the clock is dated now');
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'times not put right yet');
    }
  }

  judge();
  timer = setTimeout(look, 0);
  return {
    clock,
    get trouble() {
      return trouble;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
