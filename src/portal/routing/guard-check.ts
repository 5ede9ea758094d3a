/**
 * What the guard would say to a request of an account, as far as its people may know. The guard's evidence crosses accounts. What
 * others asked for shows neither in the words nor in the verdict (docs/adr/0005-limits-belong-to-an-account.md).
 */
import type { GuardSnapshot } from '../../guard/live/live-guard.ts';
import { NUMBER, type PlaceKind } from '../../guard/parameters.ts';
import type { RouteAnswer } from './contract.ts';

type Check = RouteAnswer['checks'][number];

/** A code that this account sent to the number. Unix ms. */
export interface OwnCode {
  readonly createdAt: number;
  readonly confirmedAt: number | null;
  /** The client brought it. Unless it was confirmed here, the guard counts it separately. */
  readonly brought: boolean;
}

/** Older ones say nothing. */
export const OWN_CODES_MS = NUMBER.knownFor;
/** More are not needed to decide. */
export const MOST_OWN_CODES = 20;

/** Their evidence is this account's alone; that of all others crosses accounts. */
const OWN_PLACES: ReadonlySet<PlaceKind> = new Set([
  'account-country',
  'key',
  'account',
  'unproven',
  'device',
]);

/** `sent`: newest first. Which of two closed places lets a message through is decided when it comes, so this is what is known now. */
export function checkAgainstGuard(
  { mode, explanation: { rule, places } }: GuardSnapshot,
  sent: readonly OwnCode[],
  now: number,
): Check {
  const own = sent.filter(({ brought, confirmedAt }) => !brought || confirmedAt !== null);
  const passes = (detail: string): Check => ({ name: 'guard', verdict: 'passes', detail });
  /** Where the guard only observes, nothing is refused. */
  const holds = (verdict: Check['verdict'], detail: string): Check =>
    mode === 'enforce' ? { name: 'guard', verdict, detail } : passes(`${detail} The guard only observes.`);
  if (rule !== undefined) {
    const detail = `A rule of yours says ${rule.action}: ${rule.reason}.`;
    return rule.action === 'allow' ? passes(detail) : { name: 'guard', verdict: 'refuses', detail };
  }
  if (mode === 'off') return passes('The guard is off.');
  const unconfirmed = countUnconfirmed(own, now);
  if (unconfirmed > NUMBER.mostUnconfirmed - 0.5) {
    return holds('refuses', `${Math.round(unconfirmed)} codes of this account there were not confirmed.`);
  }
  const held = places.filter(({ state }) => state === 'closed' || state === 'full');
  if (held.length === 0) return passes('Nothing of this account is held against it.');
  const words = held
    .map((place) => `${place.label}: ${OWN_PLACES.has(place.kind) ? place.words : place.state}.`)
    .join(' ');
  const isKnown = unconfirmed < 1.5 && own.some(({ confirmedAt }) => confirmedAt !== null);
  return isKnown ? passes(`It has confirmed before. ${words}`) : holds('unsure', words);
}

/** Those since the last confirmed one, fading with time as in the guard. */
function countUnconfirmed(own: readonly OwnCode[], now: number): number {
  const confirmed = own.findIndex(({ confirmedAt }) => confirmedAt !== null);
  return own
    .slice(0, confirmed === -1 ? own.length : confirmed)
    .reduce((sum, { createdAt }) => sum + 2 ** (-Math.max(0, now - createdAt) / NUMBER.halfLife), 0);
}
