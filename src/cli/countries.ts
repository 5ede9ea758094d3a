/** Prints what each country asks of the senders and texts of SMS. Reads no configuration. */
import { describeRule, describeSource } from '../core/countries/describe.ts';
import { COUNTRY_RULES } from '../core/countries/rules.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { CommandFailure } from './failure.ts';
import { formatTable } from './table.ts';

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
  return [
    country,
    ...describeRule(rule).map((line) => `  ${line}`),
    '  sources:',
    ...rule.sources.map((source) => `    ${describeSource(source)}: ${source.title} (${source.address})`),
  ].join('\n');
}
