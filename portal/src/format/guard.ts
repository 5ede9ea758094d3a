/** The guard in words for people. */

import type { PlaceFilter } from '#contract/guard.ts';
import { GUARD_MODES, type GuardMode } from '../../../src/core/guarding/guard-mode.ts';
import { countryName } from './country.ts';

export { GUARD_MODES };

export const GUARD_WORDS: Readonly<Record<GuardMode, { readonly label: string; readonly means: string }>> = {
  enforce: { label: 'Refuse', means: 'What nobody would confirm is refused, and no message is paid.' },
  observe: {
    label: 'Only watch',
    means:
      'Only your own rules and look-ups refuse. What the guard would have refused is sent, and shown here.',
  },
  off: { label: 'Off', means: 'Only your own rules and look-ups refuse. The guard judges nothing.' },
};

const PLACES: Readonly<Record<PlaceFilter['kind'], string>> = {
  range3: 'Range of 1,000',
  range4: 'Range of 10,000',
  range5: 'Range of 100,000',
  range6: 'Range of a million',
  'account-country': 'Country, for this account',
  country: 'Country',
  key: 'API key',
  account: 'This account',
  unproven: 'Countries where nothing was confirmed yet',
  network: 'One network of clients',
  device: 'One device of a person',
  'silent-number': 'Number that confirms nothing',
  'operator-deny': 'Your rule: deny',
  'operator-pause': 'Your rule: pause',
  'lookup-line-type': 'Line of a type that you refuse',
  'lookup-swapped': 'SIM swapped lately',
  'lookup-ported': 'Number from another carrier lately',
  'lookup-recycled': 'Number with another subscriber',
};

const COUNTRIES: ReadonlySet<PlaceFilter['kind']> = new Set(['country', 'account-country']);

/** Its kind, and where it is if that needs saying. */
export function placeWords({ kind, where }: PlaceFilter): string {
  if (where === null) return PLACES[kind];
  return `${PLACES[kind]}: ${COUNTRIES.has(kind) ? countryName(where) : where}`;
}

/** Why requests were refused, whatever the place: from the name of a rule such as `closed:range3`. */
export function reasonWords(rule: string): string {
  const [how, kind = how] = rule.split(':');
  const where = Object.entries(PLACES).find(([name]) => name === kind)?.[1] ?? rule;
  if (how === 'closed') return `${where}: codes were not confirmed`;
  return how === 'room' ? `${where}: too many codes were open` : where;
}

/** Where evidence refused, its detail begins with the place; a reason of the operator is a whole. */
export function whyWords(rule: string, detail: string): string {
  return rule.startsWith('closed:') || rule.startsWith('room:') ? detail.replace(/^[^:]*: /, '') : detail;
}

/** About a table of refusals. What the guard refuses costs nothing; what a look-up refuses was asked about. */
export function aboutRefused(refused: readonly { readonly rule: string }[]): string {
  const isPaid = refused.some(({ rule }) => rule.startsWith('lookup-'));
  const paid = ' A refusal by a look-up cost its question, unless the answer was remembered.';
  return `By place and reason, the latest first.${isPaid ? paid : ''}`;
}
