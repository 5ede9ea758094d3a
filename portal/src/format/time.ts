const DAY = 86_400_000;

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const clockOfDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

export const formatInstant = (at: string | number): string => full.format(new Date(at));
export const formatMinute = (at: string | number): string => minute.format(new Date(at));
export const formatDay = (at: string | number): string => day.format(new Date(at));

/** As short as the time span allows. */
export function formatTick(at: number, spanMs: number): string {
  if (spanMs <= DAY) return clock.format(at);
  return spanMs <= 3 * DAY ? clockOfDay.format(at) : dayOfMonth.format(at);
}

const UNITS = [
  ['second', 1000, 60_000],
  ['minute', 60_000, 3_600_000],
  ['hour', 3_600_000, DAY],
  ['day', DAY, 30 * DAY],
] as const;

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
  return ms < 60_000
    ? `+${(ms / 1000).toFixed(1)} s`
    : `+${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** The value of a `datetime-local` field, which has no zone, read as local time. */
export const instantOfField = (value: string): string | null =>
  value === '' ? null : new Date(value).toISOString();

export function fieldOfInstant(at: string | null | undefined): string {
  if (!at) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
