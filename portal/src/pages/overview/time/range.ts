import type { Zone } from '../../../format/time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Span = (now: number, zone: Zone) => { readonly from: number; readonly to: number };

const last =
  (ms: number): Span =>
  (now) => ({ from: now - ms, to: now });

/** They move on with the clock. */
export const PRESETS: readonly { readonly name: string; readonly label: string; readonly span: Span }[] = [
  { name: '1h', label: '1 hour', span: last(HOUR) },
  { name: '24h', label: '24 hours', span: last(DAY) },
  { name: 'today', label: 'Today', span: (now, zone) => ({ from: dayOf(now, zone), to: now }) },
  {
    name: 'yesterday',
    label: 'Yesterday',
    // A day may have 23 or 25 hours.
    span: (now, zone) => ({ from: dayOf(dayOf(now, zone) - DAY / 2, zone), to: dayOf(now, zone) }),
  },
  { name: '7d', label: '7 days', span: last(7 * DAY) },
  { name: 'month', label: 'This month', span: (now, zone) => ({ from: monthOf(now, zone), to: now }) },
  { name: '30d', label: '30 days', span: last(30 * DAY) },
  { name: '1y', label: '1 year', span: last(365 * DAY) },
];
const DEFAULT = { name: '24h', span: last(DAY) };

/** Where the day of an instant begins. */
function dayOf(at: number, zone: Zone): number {
  const date = new Date(at);
  return zone === 'utc' ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0);
}

function monthOf(at: number, zone: Zone): number {
  const date = new Date(dayOf(at, zone));
  return zone === 'utc' ? date.setUTCDate(1) : date.setDate(1);
}

/** Whole days, of fields such as `2026-11-20`: the last one included. Undefined if that is no range. */
export function rangeOfDays(first: string, last: string, zone: Zone): Range | undefined {
  const start = (day: string) => Date.parse(zone === 'utc' ? `${day}T00:00:00Z` : `${day}T00:00:00`);
  const [from, to] = [start(first), dayOf(start(last) + 1.5 * DAY, zone)];
  return from < to ? { from, to } : undefined;
}

/** The days of a range, for the same fields. */
export function daysOf({ from, to }: Range, zone: Zone): readonly [first: string, last: string] {
  const fieldOf = (at: number) => {
    const shift = zone === 'utc' ? 0 : new Date(at).getTimezoneOffset() * 60_000;
    return new Date(at - shift).toISOString().slice(0, 10);
  };
  return [fieldOf(from), fieldOf(to - 1)];
}
const LEAST = 5 * 60_000;
/** The service counts no longer span. */
const MOST = 9 * 365 * DAY;

/** In ms; `preset` if it moves on with the clock. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly preset?: string;
}

/** What the address says, or the last day if that makes no sense. */
export function rangeOf(search: URLSearchParams, now: number, zone: Zone): Range {
  const from = Date.parse(search.get('from') ?? '');
  const to = Date.parse(search.get('to') ?? '');
  if (from < to) return { from, to };
  const preset = PRESETS.find(({ name }) => name === search.get('range')) ?? DEFAULT;
  return { ...preset.span(now, zone), preset: preset.name };
}

/** In ms: often for a day or less, slower for longer ranges, never for a range in the past. */
export function refreshEvery({ from, to, preset }: Range): number | false {
  if (preset === undefined) return false;
  return to - from <= DAY ? 2_000 : 30_000;
}

type Move = (range: Range, now: number) => Range;

export const MOVES: Readonly<Record<'Earlier' | 'Later' | 'Zoom in' | 'Zoom out', Move>> = {
  Earlier: ({ from, to }) => moved(from - (to - from) / 2, to - (to - from) / 2),
  Later: ({ from, to }) => moved(from + (to - from) / 2, to + (to - from) / 2),
  'Zoom in': ({ from, to }) => moved(from + (to - from) / 4, to - (to - from) / 4),
  'Zoom out': widened,
};

export const isLongest = ({ from, to }: Range): boolean => to - from >= MOST;

/** Twice as wide around the same time, or further back where that would go beyond now. */
function widened({ from, to }: Range, now: number): Range {
  const width = Math.min(2 * (to - from), MOST);
  const end = Math.min((from + to + width) / 2, Math.max(to, now));
  return moved(end - width, end);
}

/** A range between two places on the chart, at least five minutes wide. */
export function between(one: number, other: number): Range {
  return moved(Math.min(one, other), Math.max(one, other));
}

function moved(from: number, to: number): Range {
  const missing = Math.max(0, LEAST - (to - from)) / 2;
  return { from: Math.round(from - missing), to: Math.round(to + missing) };
}
