const DAY = 86_400_000;

/** The zone that times are shown in: that of the browser, or UTC. */
export type Zone = 'local' | 'utc';

/** Without a zone, as on most pages, a time is local. */
function formatter(options: Intl.DateTimeFormatOptions) {
  const by = {
    local: new Intl.DateTimeFormat('en-GB', options),
    utc: new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }),
  };
  return (at: string | number, zone: Zone = 'local'): string => by[zone].format(new Date(at));
}

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

export const formatInstant = formatter({ dateStyle: 'medium', timeStyle: 'medium' });
export const formatMinute = formatter({ dateStyle: 'medium', timeStyle: 'short' });
export const formatDay = formatter({ dateStyle: 'medium' });
export const formatClock = formatter({ timeStyle: 'short' });
export const formatDayOfMonth = formatter({ day: 'numeric', month: 'short' });
export const formatMonth = formatter({ month: 'short' });
export const formatYear = formatter({ year: 'numeric' });

/** Such as `Europe/Berlin`. */
export const zoneName = (zone: Zone): string =>
  zone === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;

const UNITS = [
  ['second', 1000, 60_000],
  ['minute', 60_000, 3_600_000],
  ['hour', 3_600_000, DAY],
  ['day', DAY, 30 * DAY],
] as const;

/** How long something lasts, in the largest unit that is whole: `30 seconds`, `6 hours`, `4 days`. */
export function formatSpan(ms: number): string {
  const [name, size] = UNITS.findLast(([, each]) => ms >= each && ms % each === 0) ?? UNITS[0];
  const count = Math.round(ms / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Such as `2 minutes ago`, or a date if it is long ago. */
export function formatAgo(at: string, now: number): string {
  const elapsed = Date.parse(at) - now;
  const size = Math.abs(elapsed);
  const unit = UNITS.find(([, , below]) => size < below);
  return unit === undefined ? formatDay(at) : relative.format(Math.round(elapsed / unit[1]), unit[0]);
}

/** From the first instant to the second, such as `+1.2 s`. */
export function formatOffset(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < 1000) return `+${ms} ms`;
  // Rounded before it is parted, or there would be a minute of 60 s.
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `+${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `+${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The value of a `datetime-local` field, which has no zone, read as local time. */
export const instantOfField = (value: string): string | null =>
  value === '' ? null : new Date(value).toISOString();

export function fieldOfInstant(at: string | null | undefined): string {
  if (!at) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
