/** What an account refuses by look-ups, of one number. Nobody is asked: each question costs money. */
import { type NumberRule, refusedBy, wantedBy } from '../../core/lookups/facts.ts';
import type { Lookups } from '../../core/lookups/lookup.ts';
import type { RouteAnswer } from './contract.ts';

type Check = RouteAnswer['checks'][number];

const MILLION = 1_000_000;

export function explainLookups(
  lookups: Lookups | undefined,
  rule: NumberRule | null | undefined,
  country: string,
  currency: string,
): Check {
  const passes = (detail: string): Check => ({ name: 'look-ups', verdict: 'passes', detail });
  if (!rule) return passes('The account refuses no number by what look-ups say.');
  const names = new Set(lookups?.that(country, wantedBy(rule)).map(({ name }) => name));
  const asked = lookups?.all.filter(({ name }) => names.has(name)) ?? [];
  if (asked.length === 0)
    return passes('No look-up is for numbers of this country, or can tell what is refused.');
  const whom = asked.map(({ name, price }) => `${name} (${price / MILLION} ${currency})`).join(', then ');
  const what = refusedBy(rule, 'what').join('; ');
  return { name: 'look-ups', verdict: 'unsure', detail: `Would be asked: ${whom}. Refused: ${what}.` };
}
