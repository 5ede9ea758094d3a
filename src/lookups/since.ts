/** How long ago something happened, as providers say when. */
import { HOUR_MS } from '../core/seams/spans.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** From the beginning of a day in UTC until it has ended everywhere, at UTC-12. */
const DAY_LASTS_MS = 36 * HOUR_MS;

/**
 * Whether a time is within the hours before now; undefined if it is none. A day without an hour counts from when it may have been at the
 * latest: who took a number over uses it at once, and a rule of 24 hours would else be over before it had begun.
 */
export function happenedWithin(said: string | undefined, hours: number, now: number): boolean | undefined {
  const at = Date.parse(said ?? '');
  if (said === undefined || Number.isNaN(at)) return undefined;
  return (DAY.test(said) ? at + DAY_LASTS_MS : at) > now - hours * HOUR_MS;
}
