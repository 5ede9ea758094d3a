import type { SettingsView } from '#contract/settings.ts';
import { countryName } from '../../format/country.ts';
import { formatMoney } from '../../format/number.ts';

type Lookup = SettingsView['defaults']['lookups'][number];

/** Of a longer list only the number is said. */
const MOST_NAMED = 5;

/** Who is asked for a fact, in order: for how much, and about the numbers of which countries. */
export function askedWords(
  lookups: readonly Lookup[],
  fact: Lookup['tells'][number],
  currency: string,
): string {
  const asked = lookups
    .filter(({ tells }) => tells.includes(fact))
    .map(({ name, price, countries }) => `${name} (${formatMoney(price, currency)}${whereOf(countries)})`);
  return asked.length === 0 ? 'nobody' : asked.join(', then ');
}

function whereOf(countries: Lookup['countries']): string {
  if (countries === null) return '';
  if (countries.length > MOST_NAMED) return `, only for numbers of ${countries.length} countries`;
  return `, only for numbers of ${countries.map(countryName).join(', ')}`;
}
