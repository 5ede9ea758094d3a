import type { OverviewParts } from '#contract/overview.ts';
import type { CountriesView } from '#contract/routing.ts';
import type { Settings } from '#contract/settings.ts';
import { countryName } from '../../format/country.ts';
import { stagesOf } from '../overview/funnel/funnel.ts';

type Country = CountriesView['countries'][number];

/** Whether codes go to a country, and if not, what has to change. */
type Sending =
  | { readonly kind: 'on' }
  /** By rules of this account. */
  | { readonly kind: 'stopped'; readonly stops: Country['stops'] }
  /** The account's settings name countries, and not this one. */
  | { readonly kind: 'not-chosen' }
  /** Only the operator can change it. */
  | { readonly kind: 'service'; readonly why: string };

export interface CountryRow extends Pick<Country, 'country' | 'channels' | 'lowest_price' | 'highest_price'> {
  readonly name: string;
  readonly sending: Sending;
  /** By a rule, of the account or of the operator. */
  readonly isStopped: boolean;
  /** Of the last 30 days: codes asked for, and how many of what the overview counts as a whole were confirmed. */
  readonly codes: number;
  readonly confirmed: { readonly count: number; readonly of: number };
}

/** What is used most comes first; what is not used comes by name. */
export function rowsOf(
  { countries }: CountriesView,
  settings: Pick<Settings, 'countries'>,
  parts: Pick<OverviewParts, 'countries'>,
): CountryRow[] {
  const funnels = new Map(parts.countries.map(({ name, funnel }) => [name, funnel]));
  return countries
    .map((country) => {
      const funnel = funnels.get(country.country);
      const { count, of } = funnel === undefined ? { count: 0, of: 0 } : stagesOf(funnel)[2];
      return {
        ...country,
        name: countryName(country.country),
        sending: sendingOf(country, settings.countries),
        isStopped: country.stops.length > 0,
        codes: funnel?.requested ?? 0,
        confirmed: { count, of },
      };
    })
    .sort((a, b) => b.codes - a.codes || a.name.localeCompare(b.name, 'en'));
}

function sendingOf({ country, allowed, channels, stops }: Country, chosen: readonly string[]): Sending {
  const general = stops.find(({ of }) => of === 'service');
  if (!allowed) return { kind: 'service', why: 'The service sends nothing there.' };
  if (general !== undefined) return { kind: 'service', why: `The operator stopped it: ${general.reason}.` };
  if (channels.length === 0) return { kind: 'service', why: 'No route of the service goes there.' };
  if (stops.length > 0) return { kind: 'stopped', stops };
  return chosen.length > 0 && !chosen.includes(country) ? { kind: 'not-chosen' } : { kind: 'on' };
}

/** By name or code. Without a text, those with codes and those that are stopped: nobody looks for the other two hundred. */
export function findRows(rows: readonly CountryRow[], text: string): readonly CountryRow[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return rows.filter(({ codes, isStopped }) => codes > 0 || isStopped);
  return rows.filter(
    ({ name, country }) => name.toLowerCase().includes(typed) || country.toLowerCase() === typed,
  );
}
