/** Words for dates, sources and fates of rules. */
import type { CountryRule, Source } from './rules.ts';

/** A warning that names more is not read. */
const MOST_SOURCES = 4;
const MOST_COUNTRIES = 8;

/** Since when it is in force, if a warning says that. */
type SinceOf = (rule: CountryRule) => string | undefined;
const NO_DATE: SinceOf = () => undefined;

/** `2026-07-01` as `1 July 2026`, `2026-07` as `July 2026`. */
function describeDate(date: string): string {
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
  const countries = rules.length <= MOST_COUNTRIES ? rules.map(({ country }) => country) : [];
  return `sources: ${['countersign countries', ...countries].join(' ')}`;
}

/** `AT (unsure), GB`. */
export function listCountries(rules: readonly CountryRule[], sinceOf: SinceOf = NO_DATE): string {
  return rules.map((rule) => rule.country + describeNotes(rule, sinceOf(rule))).join(', ');
}

/** `is blocked in ES (since 15 September 2026), TR; is replaced in LK (unsure)`. `usual` is the fate that no source tells. */
export function describeFates(rules: readonly CountryRule[], usual: string): string {
  return describeGroups(
    rules,
    ({ fate }) => fate ?? usual,
    ({ since }) => since,
  );
}

/** The countries of each wording together: `WORDING in AU, ES (since 2026); OTHER in FR (unsure)`. */
export function describeGroups(
  rules: readonly CountryRule[],
  wordingOf: (rule: CountryRule) => string,
  sinceOf: SinceOf = NO_DATE,
): string {
  return [...Map.groupBy(rules, wordingOf)]
    .map(([wording, group]) => `${wording} in ${listCountries(group, sinceOf)}`)
    .join('; ');
}

/** Whatever is said of a country whose sources do not agree is marked. */
function describeNotes({ unsure }: CountryRule, since: string | undefined): string {
  const notes = [
    ...(since === undefined ? [] : [`since ${describeDate(since)}`]),
    ...(unsure === undefined ? [] : ['unsure']),
  ];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

const NUMBERS = {
  registered: 'must be registered',
  'foreign-blocked': 'those of other countries are blocked or replaced',
  no: 'are replaced or not delivered as senders',
};

/** All that is known of a country but the sources, a line each. */
export function describeRule(rule: CountryRule): string[] {
  const { form, words, brandInText, unsure, note } = rule;
  return [
    `names: ${describeNames(rule)}`,
    ...(form === undefined ? [] : [`form of a name: ${form.says}${describeForm(rule)}`]),
    ...(words === undefined ? [] : [`refused if alone: ${words.join(', ')}`]),
    ...(rule.numbers === undefined ? [] : [`numbers: ${NUMBERS[rule.numbers]}`]),
    ...describeLinks(rule),
    ...(brandInText === true ? ['texts: must name the brand'] : []),
    ...(unsure === undefined ? [] : [`unsure: ${unsure}`]),
    ...(note === undefined ? [] : [`note: ${note}`]),
  ];
}

function describeNames({ names, register, since, fate }: CountryRule): string {
  const when = describeSince(since);
  switch (names) {
    case 'free':
      return 'need no registration';
    case 'no':
      return `a name ${fate ?? 'is not delivered as a sender'}`;
    case 'registered':
      return `must be registered${register === undefined ? '' : ` (${register})`}${when}; an unregistered one ${fate ?? 'may not arrive as sent'}`;
  }
}

/** Where names are free, what is known is known of their form. */
function describeForm({ names, since, fate }: CountryRule): string {
  if (names !== 'free') return '';
  return describeSince(since) + (fate === undefined ? '' : `; another one ${fate}`);
}

function describeLinks({ links, linksSince }: CountryRule): string[] {
  if (links === undefined) return [];
  const what = links === 'blocked' ? 'are blocked' : 'only listed domains pass';
  return [`links in texts: ${what}${describeSince(linksSince)}`];
}

function describeSince(since: string | undefined): string {
  return since === undefined ? '' : `, since ${describeDate(since)}`;
}
