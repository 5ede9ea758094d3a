/** Prints what each country asks of the senders and texts of SMS. Reads no configuration. */
import { describeDate, describeSource } from '../core/countries/describe.ts';
import { COUNTRY_RULES, type CountryRule } from '../core/countries/rules.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { CommandFailure } from './failure.ts';
import { formatTable } from './table.ts';

const NUMBERS = {
  registered: 'must be registered',
  'foreign-blocked': 'those of other countries are blocked or replaced',
  no: 'are replaced or not delivered as senders',
};

/** All countries as a table, or the given ones in full, with the sources. */
export function printCountries(codes: readonly string[]): void {
  const unknown = codes.filter((code) => !COUNTRY_LOCALES.has(code));
  if (unknown.length > 0) {
    throw new CommandFailure(`no such countries (ISO 3166 alpha-2, such as AU): ${unknown.join(', ')}`);
  }
  console.log(codes.length === 0 ? formatAll() : codes.map(describe).join('\n\n'));
}

function formatAll(): string {
  const rows = [...COUNTRY_RULES.values()].map((rule) => ({
    country: rule.country,
    names: rule.names,
    numbers: rule.numbers ?? null,
    since: rule.since ?? null,
    'what becomes of others': rule.fate ?? null,
    links: rule.links ?? null,
    'brand in text': rule.brandInText === true ? 'yes' : null,
    unsure: rule.unsure === undefined ? null : 'yes',
  }));
  return [
    formatTable(rows),
    '',
    'What was found; a country that is not here may have rules, too. `countersign countries AU` names the sources.',
  ].join('\n');
}

function describe(country: string): string {
  const rule = COUNTRY_RULES.get(country);
  if (rule === undefined) return `${country}\n  nothing was found; ask your carrier`;
  const { form, words, brandInText, unsure, note, sources } = rule;
  return [
    country,
    `  names: ${describeNames(rule)}`,
    ...(form === undefined ? [] : [`  form of a name: ${form.says}${describeForm(rule)}`]),
    ...(words === undefined ? [] : [`  refused if alone: ${words.join(', ')}`]),
    ...(rule.numbers === undefined ? [] : [`  numbers: ${NUMBERS[rule.numbers]}`]),
    ...describeLinks(rule),
    ...(brandInText === true ? ['  texts: must name the brand'] : []),
    ...(unsure === undefined ? [] : [`  unsure: ${unsure}`]),
    ...(note === undefined ? [] : [`  note: ${note}`]),
    '  sources:',
    ...sources.map((source) => `    ${describeSource(source)}: ${source.title} (${source.address})`),
  ].join('\n');
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
  return [`  links in texts: ${what}${describeSince(linksSince)}`];
}

function describeSince(since: string | undefined): string {
  return since === undefined ? '' : `, since ${describeDate(since)}`;
}
