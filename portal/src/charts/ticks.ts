/** Round places on the axes of charts. */
import { formatClock, formatDayOfMonth, formatMonth, formatYear, type Zone } from '../format/time.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
];
/** The first day of 1970 was a Thursday; weeks begin on Monday. */
const MONDAY = 4 * DAY;
const MONTHS = [1, 2, 3, 6, 12, 24, 60];
const LONGEST_MONTHS = 120;

/** At most `most` instants that are round on the clock or in the calendar of the zone. */
export function timeTicks(from: number, to: number, most: number, zone: Zone): Tick[] {
  const step = STEPS.find((each) => (to - from) / each <= most);
  return step === undefined ? monthTicks(from, to, most, zone) : clockTicks(from, to, step, zone);
}

function clockTicks(from: number, to: number, step: number, zone: Zone): Tick[] {
  const anchor = step % WEEK === 0 ? MONDAY : 0;
  const first = Math.ceil((wallOf(from, zone) - anchor) / step) * step + anchor;
  const ticks: Tick[] = [];
  for (let wall = first; ; wall += step) {
    const at = instantOf(wall, zone);
    if (at > to) return ticks;
    // Where clocks go forward, an hour of the wall does not exist.
    if (at < from || at <= (ticks.at(-1)?.at ?? Number.NEGATIVE_INFINITY)) continue;
    ticks.push({ at, label: wall % DAY === 0 ? formatDayOfMonth(at, zone) : formatClock(at, zone) });
  }
}

function monthTicks(from: number, to: number, most: number, zone: Zone): Tick[] {
  const months = MONTHS.find((each) => (to - from) / (each * 30 * DAY) <= most - 1) ?? LONGEST_MONTHS;
  const wall = new Date(wallOf(from, zone));
  const ticks: Tick[] = [];
  const first = Math.floor((wall.getUTCFullYear() * 12 + wall.getUTCMonth()) / months) * months;
  for (let month = first; ; month += months) {
    const at = instantOf(Date.UTC(Math.floor(month / 12), month % 12), zone);
    if (at > to) return ticks;
    if (at >= from)
      ticks.push({ at, label: month % 12 === 0 ? formatYear(at, zone) : formatMonth(at, zone) });
  }
}

/** What a clock on the wall shows, as if it were UTC. */
const wallOf = (at: number, zone: Zone): number =>
  zone === 'utc' ? at : at - new Date(at).getTimezoneOffset() * MINUTE;

function instantOf(wall: number, zone: Zone): number {
  if (zone === 'utc') return wall;
  const near = wall + new Date(wall).getTimezoneOffset() * MINUTE;
  return wall + new Date(near).getTimezoneOffset() * MINUTE;
}

/** From 0 to at least `max`, four steps at most; `least` is the smallest step, such as 1 of what is counted. */
export function valueTicks(max: number, least = 0): number[] {
  const rough = Math.max(max / 4, least) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10;
  const step = Math.max(factor * power, least);
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}
