/** How long ago something happened, as providers say when. */
import { HOUR_MS } from '../core/seams/spans.ts';

/** ISO 8601, extended or basic: a day, with or without a time, with or without its zone. */
const SAID =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** What is said without a zone may be of the one that is last, UTC-12. */
const LAST_ZONE_MS = 12 * HOUR_MS;
/** From the beginning of a day in UTC until it has ended everywhere. */
const DAY_LASTS_MS = 24 * HOUR_MS + LAST_ZONE_MS;

/**
 * Whether a time is within the hours before now; undefined if it is none. A day without an hour, and a time without a zone, count from
 * when they may have been at the latest: who took a number over uses it at once, and a rule of 24 hours would else be over before it had
 * begun.
 */
export function happenedWithin(said: string | undefined, hours: number, now: number): boolean | undefined {
  const at = latest(said ?? '');
  return at === undefined ? undefined : at > now - hours * HOUR_MS;
}

function latest(said: string): number | undefined {
  const [whole, year, , month, day, hour, minute, second = '00', zone] = SAID.exec(said.trim()) ?? [];
  // Whatever else is read as a time must say its zone: it would be that of this machine.
  if (whole === undefined) return timeOf(/:\d{2} (?:GMT|UTC|[+-]\d{4})$/.test(said) ? said : '');
  if (hour === undefined) return timeOf(`${year}-${month}-${day}`, DAY_LASTS_MS);
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  return zone === undefined ? timeOf(`${time}Z`, LAST_ZONE_MS) : timeOf(`${time}${zoneOf(zone)}`);
}

function timeOf(text: string, more = 0): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at + more;
}

/** As RFC 3339 writes it. */
const zoneOf = (zone: string): string =>
  /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
