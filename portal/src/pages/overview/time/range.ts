const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Each ends now. */
export const PRESETS = [
  { name: '1h', label: '1 hour', ms: HOUR },
  { name: '24h', label: '24 hours', ms: DAY },
  { name: '7d', label: '7 days', ms: 7 * DAY },
  { name: '30d', label: '30 days', ms: 30 * DAY },
  { name: '1y', label: '1 year', ms: 365 * DAY },
] as const;
const DEFAULT = PRESETS[1];
const LEAST = 5 * 60_000;
/** The service counts no longer span. */
const MOST = 9 * 365 * DAY;

/** In ms; `preset` if it ends now and moves on with the clock. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly preset?: string;
}

/** What the address says, or the last day if that makes no sense. */
export function rangeOf(search: URLSearchParams, now: number): Range {
  const from = Date.parse(search.get('from') ?? '');
  const to = Date.parse(search.get('to') ?? '');
  if (from < to) return { from, to };
  const preset = PRESETS.find(({ name }) => name === search.get('range')) ?? DEFAULT;
  return { from: now - preset.ms, to: now, preset: preset.name };
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
