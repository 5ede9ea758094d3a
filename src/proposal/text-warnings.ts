/** Texts that the networks of some countries block, by the rules of each country that is sent to (`core/countries/`). */
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import { cite, describeGroups, listCountries } from '../core/countries/describe.ts';
import { COUNTRY_RULES, type CountryRule } from '../core/countries/rules.ts';
import { composeMessage, type MessageOptions } from '../core/message/message.ts';
import { SIMULATOR } from '../core/sending/carrier.ts';
import { countriesOver } from './reached.ts';

type Settings = Pick<Config, 'carriers' | 'routes' | 'guard' | 'messages' | 'code'>;

const LINK_RULES = { blocked: 'links are blocked', listed: 'only listed domains pass' };

export function* warnOfTexts({ carriers, messages, code, ...reach }: Settings): Generator<Warning> {
  const real = Object.keys(carriers).filter((name) => carriers[name]?.type !== SIMULATOR);
  const countries = countriesOver(real, reach);
  const rules = [...COUNTRY_RULES.values()].filter(({ country }) => countries.includes(country));
  yield* warnOfLinks(messages, rules);
  yield* warnOfBrands(messages, rules);
  yield* warnOfVariables(messages, code, rules);
}

/** Nothing is added to registered texts, so they are none of these. */
function* warnOfLinks(
  { webOtpDomain, webOtpExcept = [], registered = {} }: MessageOptions,
  rules: readonly CountryRule[],
): Generator<Warning> {
  if (webOtpDomain === undefined) return;
  const without = rules.filter(
    ({ country, links }) =>
      links !== undefined && webOtpExcept.includes(country) && registered[country] === undefined,
  );
  if (without.length === 0) return;
  const why = describeGroups(
    without,
    ({ links = 'blocked' }) => LINK_RULES[links],
    ({ linksSince }) => linksSince,
  );
  const detail = `SMS go without the line of ${webOtpDomain} where it may keep them from arriving: ${why}; once the domain is listed in a country, leave that out of messages.webOtpExcept (${cite(without)})`;
  yield { key: 'messages.webOtpDomain', detail };
}

/** One for each text that does not name the brand, and is sent where networks want it. */
function* warnOfBrands(messages: MessageOptions, rules: readonly CountryRule[]): Generator<Warning> {
  const lacking = rules
    .filter(({ brandInText }) => brandInText)
    .flatMap((rule) =>
      [undefined, ...Object.keys(messages.named ?? {})].flatMap((template) => {
        const place = findUnbranded(messages, rule.country, template);
        return place === undefined ? [] : [{ place, rule }];
      }),
    );
  for (const [place, group] of Map.groupBy(lacking, (each) => each.place)) {
    const countries = [...new Set(group.map(({ rule }) => rule))];
    const detail = `has no brand, and networks in ${listCountries(countries)} want one in each text; put {{brand}} into it (${cite(countries)})`;
    yield { key: `messages.${place}`, detail };
  }
}

/** The option of the text that goes to a country, if it does not contain the brand. */
function findUnbranded(
  messages: MessageOptions,
  country: string,
  template: string | undefined,
): string | undefined {
  const facts = { country, channel: 'sms', code: '0', validForMs: 60_000, wish: { template } } as const;
  const { text, locale } = composeMessage(messages, facts);
  if (text.toLowerCase().includes(messages.brand.toLowerCase())) return undefined;
  if (messages.registered?.[country] !== undefined) return `registered.${country}`;
  const isNamed = template !== undefined && messages.named?.[template]?.[locale]?.sms !== undefined;
  return `${isNamed ? `named.${template}` : 'templates'}.${locale}.sms`;
}

function* warnOfVariables(
  { registered = {} }: MessageOptions,
  { alphabet }: Pick<Config['code'], 'alphabet'>,
  rules: readonly CountryRule[],
): Generator<Warning> {
  const india = rules.filter(({ country }) => country === 'IN' && registered[country] !== undefined);
  if (alphabet !== 'letters' || india.length === 0) return;
  const detail = `codes have letters, and since 14 January 2026 the variables of texts that are registered in IN have types: one of type numeric takes no letters; register {{code}} as alphanumeric, or set digits (${cite(india)})`;
  yield { key: 'code.alphabet', detail };
}
