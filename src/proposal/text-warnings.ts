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

/** An address, or a domain as brands are written. */
const LINK = /\bhttps?:\/\/\S+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/i;

export function* warnOfTexts({ carriers, messages, code, ...reach }: Settings): Generator<Warning> {
  const real = Object.keys(carriers).filter((name) => carriers[name]?.type !== SIMULATOR);
  const countries = countriesOver(real, reach);
  const rules = [...COUNTRY_RULES.values()].filter(({ country }) => countries.includes(country));
  yield* warnOfLinks(messages, rules);
  yield* warnOfOwnLinks(messages, rules);
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

/** One for each text that holds a link, and is sent where networks block those. Registered texts are registered with theirs. */
function* warnOfOwnLinks(messages: MessageOptions, rules: readonly CountryRule[]): Generator<Warning> {
  const linkless = rules.filter(
    ({ country, links }) => links !== undefined && messages.registered?.[country] === undefined,
  );
  const { brand } = messages;
  const inBrand = LINK.exec(brand)?.[0];
  const holding = [...textsTo(linkless, messages)].flatMap(({ text, place, rule }) => {
    const own = LINK.exec(inBrand === undefined ? text : text.replaceAll(brand, ' '))?.[0];
    return [
      ...(inBrand === undefined || !text.includes(brand) ? [] : [{ link: inBrand, rule, key: 'brand' }]),
      ...(own === undefined ? [] : [{ link: own, rule, key: place }]),
    ];
  });
  for (const [key, group] of Map.groupBy(holding, (each) => each.key)) {
    const countries = [...new Set(group.map(({ rule }) => rule))];
    const why = describeGroups(countries, ({ links = 'blocked' }) => LINK_RULES[links]);
    const detail = `has ${group[0]?.link}, which may keep SMS from arriving: ${why}; leave it out, or have it listed (${cite(countries)})`;
    yield { key: `messages.${key}`, detail };
  }
}

/** One for each text that does not name the brand, and is sent where networks want it. */
function* warnOfBrands(messages: MessageOptions, rules: readonly CountryRule[]): Generator<Warning> {
  const wanting = rules.filter(({ brandInText }) => brandInText);
  const brand = messages.brand.toLowerCase();
  const lacking = [...textsTo(wanting, messages)].filter(({ text }) => !text.toLowerCase().includes(brand));
  for (const [place, group] of Map.groupBy(lacking, (each) => each.place)) {
    const countries = [...new Set(group.map(({ rule }) => rule))];
    const detail = `has no brand, and networks in ${listCountries(countries)} want one in each text; put {{brand}} into it (${cite(countries)})`;
    yield { key: `messages.${place}`, detail };
  }
}

/** The texts that go to a country, without the line of WebOTP, each with the option that it is from. */
function* textsTo(rules: readonly CountryRule[], { webOtpDomain: _, ...messages }: MessageOptions) {
  for (const rule of rules) {
    for (const template of [undefined, ...Object.keys(messages.named ?? {})]) {
      const { country } = rule;
      const facts = { country, channel: 'sms', code: '0', validForMs: 60_000, wish: { template } } as const;
      const { text, locale } = composeMessage(messages, facts);
      const isNamed = template !== undefined && messages.named?.[template]?.[locale]?.sms !== undefined;
      const place =
        messages.registered?.[country] === undefined
          ? `${isNamed ? `named.${template}` : 'templates'}.${locale}.sms`
          : `registered.${country}`;
      yield { rule, text, place };
    }
  }
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
