/** What an account refuses by look-ups, of one number. Nobody is asked: each question costs money. */
import type { NumberFact, NumberRule } from '../../core/lookups/facts.ts';
import { wantedBy } from '../../core/lookups/facts.ts';
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
  const wanted = wantedBy(rule);
  const names = new Set(lookups?.that(country, wanted).map(({ name }) => name));
  const asked = lookups?.all.filter(({ name }) => names.has(name)) ?? [];
  if (asked.length === 0)
    return passes('No look-up is for numbers of this country, or can tell what is refused.');
  const whom = asked.map(({ name, price }) => `${name} (${price / MILLION} ${currency})`).join(', then ');
  const what = wanted.map((fact) => WORDS[fact](rule)).join('; ');
  return { name: 'look-ups', verdict: 'unsure', detail: `Would be asked: ${whom}. Refused: ${what}.` };
}

const WORDS: Readonly<Record<NumberFact, (rule: NumberRule) => string>> = {
  lineType: ({ lineTypes }) => `lines of the types ${lineTypes.join(', ')}`,
  swapped: ({ swappedWithinHours }) => `a SIM that was swapped within ${swappedWithinHours} hours`,
  recycled: () => 'a number that went to another subscriber since it was last confirmed',
};
