/** Words for dates, sources and fates of rules. */
import type { CountryRule, Source } from './rules.ts';

/** A warning that names more is not read. */
const MOST_SOURCES = 4;
const MOST_COUNTRIES = 8;

/** `2026-07-01` as `1 July 2026`, `2026-07` as `July 2026`. */
export function describeDate(date: string): string {
  const [, month, day] = date.split('-');
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month !== undefined && { month: 'long' }),
    ...(day !== undefined && { day: 'numeric' }),
  }).format(new Date(date));
}

/** `ACMA 2026-04-10, read 2026-11-29`. */
export function describeSource({ publisher, date, read }: Source): string {
  return `${publisher}${date === undefined ? '' : ` ${date}`}, read ${read}`;
}

/** The sources of rules, or where to find them if they are many. */
export function cite(rules: readonly CountryRule[]): string {
  const sources = [...new Set(rules.flatMap((rule) => rule.sources))];
  if (sources.length <= MOST_SOURCES) return sources.map(describeSource).join('; ');
  const countries = rules.length <= MOST_COUNTRIES ? ` ${listCountries(rules, ' ')}` : '';
  return `sources: countersign countries${countries}`;
}

export function listCountries(rules: readonly CountryRule[], between = ', '): string {
  return rules.map(({ country }) => country).join(between);
}

/** `is blocked in ES (since 15 September 2026), TR; is replaced in LK (unsure)`. `usual` is the fate that no source tells. */
export function describeFates(rules: readonly CountryRule[], usual: string): string {
  return describeGroups(rules, ({ fate }) => fate ?? usual, noteOf);
}

/** The countries of each wording together: `WORDING in AU, ES; OTHER in FR`. */
export function describeGroups(
  rules: readonly CountryRule[],
  wordingOf: (rule: CountryRule) => string,
  note: (rule: CountryRule) => string = () => '',
): string {
  const groups = Map.groupBy(rules, wordingOf);
  return [...groups]
    .map(([wording, group]) => `${wording} in ${group.map((rule) => rule.country + note(rule)).join(', ')}`)
    .join('; ');
}

function noteOf({ since, unsure }: CountryRule): string {
  const notes = [
    ...(since === undefined ? [] : [`since ${describeDate(since)}`]),
    ...(unsure === undefined ? [] : ['unsure']),
  ];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}
