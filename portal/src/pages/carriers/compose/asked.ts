import type { Proposal } from './proposal.ts';
import type { Entry, Value } from './yaml.ts';

/** What a country asks of SMS, a sentence each. */
export interface AskedByCountry {
  readonly country: string;
  readonly asks: readonly string[];
}

/** Of the countries that the lines name for SMS. The table comes with the first lines that are written: nothing typed is sent. */
export async function findAsked(proposal: Proposal): Promise<readonly AskedByCountry[]> {
  const countries = countriesOf(proposal);
  if (countries.length === 0) return [];
  const [{ COUNTRY_RULES }, { describeRule }] = await Promise.all([
    import('../../../../../src/core/countries/rules.ts'),
    import('../../../../../src/core/countries/describe.ts'),
  ]);
  return countries.flatMap((country) => {
    const rule = COUNTRY_RULES.get(country);
    return rule === undefined ? [] : [{ country, asks: describeRule(rule) }];
  });
}

/** Those of routes for SMS, and those with a sender of their own. */
export function countriesOf({ carrier, routes }: Pick<Proposal, 'carrier' | 'routes'>): string[] {
  const routed = routes
    .filter((route) => findValue(route, 'channel') === 'sms')
    .flatMap((route) => findValue(route, 'countries') ?? []);
  const listed = [...routed, ...sendersIn(carrier)].filter((each) => typeof each === 'string');
  return [...new Set(listed)].sort();
}

const findValue = (entries: readonly Entry[], wanted: string): Value | undefined =>
  entries.flatMap((entry) => ('value' in entry && entry.name === wanted ? [entry.value] : []))[0];

function sendersIn(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    if ('entries' in entry) return sendersIn(entry.entries);
    if (!('value' in entry) || entry.name !== 'senders') return [];
    return typeof entry.value === 'object' && entry.value !== null ? Object.keys(entry.value) : [];
  });
}
