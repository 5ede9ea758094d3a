/** When people ask, and the two times at which something happens. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/seams/spans.ts';
import type { Chance } from './chance.ts';

const WEEK_MS = 7 * DAY_MS;

/** By the hour of the day, where the person is; 1 is noon. */
const BY_HOUR = [
  ...[0.25, 0.15, 0.1, 0.08, 0.08, 0.12, 0.3, 0.55, 0.8, 0.95, 1, 1],
  ...[1, 0.95, 0.9, 0.95, 1, 1.1, 1.25, 1.35, 1.3, 1.05, 0.7, 0.4],
] as const;
const MOST = Math.max(...BY_HOUR);
const WEEKEND = 0.65;

/** Unix ms, within the week that ends at `end`. */
export function drawTime(end: number, offset: number, chance: Chance): number {
  for (;;) {
    const at = end - chance.below(WEEK_MS);
    const there = new Date(at + offset * HOUR_MS);
    const isWeekend = there.getUTCDay() % 6 === 0;
    const busy = (BY_HOUR[there.getUTCHours()] ?? 0) * (isWeekend ? WEEKEND : 1);
    if (chance.happens(busy / MOST)) return at;
  }
}

export interface Incident {
  readonly from: number;
  readonly to: number;
}

/** The evening on which a carrier refuses most of its messages. */
export function outageOf(now: number): Incident {
  const from = now - (now % DAY_MS) - 2 * DAY_MS + 17 * HOUR_MS;
  return { from, to: from + 160 * MINUTE_MS };
}

/** When somebody has codes sent to numbers of their own: within the last day, which is what pages show first. */
export function attackOf(now: number): Incident {
  const from = now - 7 * HOUR_MS;
  return { from, to: from + 25 * MINUTE_MS };
}

export const isDuring = ({ from, to }: Incident, at: number): boolean => at >= from && at < to;
