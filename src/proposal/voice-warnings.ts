/** Which languages voice carriers have no voice for, and what happens to calls in them. */
import type { Warning } from '../config/warnings.ts';
import { type Channel, isSpoken } from '../core/destination/channel.ts';
import { COUNTRY_LOCALES } from '../core/message/locales.ts';
import { chooseLocale, type MessageOptions } from '../core/message/message.ts';
import type { Spoken } from '../core/sending/carrier.ts';
import { type Route, thensOf } from '../core/sending/routing.ts';
import type { Speakers } from '../routing/speakers.ts';

const CONSEQUENCES: readonly (readonly [Spoken, string])[] = [
  ['in-english', 'calls in these languages are made in English'],
  ['not-at-all', 'it is skipped for these languages'],
];

const EVERYWHERE: readonly string[] = [...COUNTRY_LOCALES.keys(), 'ZZ'];

/** One for each route, carrier and consequence, such as `aws has no voice for bg (BG); ...` of `routes[0]`. */
export function* warnOfVoices(
  routes: readonly Route[],
  messages: MessageOptions,
  speakers: Speakers,
): Generator<Warning> {
  const taken = new Set<string>();
  for (const [index, route] of routes.entries()) {
    const key = `routes[${index}]`;
    yield* warnOfLaterVoices(route, key, messages, speakers);
    if (!isSpoken(route.channel)) continue;
    const served = (route.countries ?? EVERYWHERE).filter((each) => !taken.has(each));
    if (route.prefixes === undefined) for (const country of served) taken.add(country);
    const languages = groupByLanguage(served, route.channel, messages);
    yield* warnOfCarriers(route.carriers, key, languages, speakers);
    const refused = list(languages, (locale) => !speakers.serve(route, locale));
    if (refused !== '') {
      const detail = `none of its carriers speaks ${refused}; POST /verify is refused with 400 there, unless englishFallback is on`;
      yield { key, detail };
    }
  }
}

/** Of calls that messages go on by. The countries of the route count, whatever other routes take there on that channel. */
function* warnOfLaterVoices(
  route: Route,
  key: string,
  messages: MessageOptions,
  speakers: Speakers,
): Generator<Warning> {
  for (const [index, { channel, carriers }] of thensOf(route).entries()) {
    if (!isSpoken(channel) || carriers === undefined) continue;
    const place = `${key}${'.then'.repeat(index + 1)}`;
    const languages = groupByLanguage(route.countries ?? EVERYWHERE, channel, messages);
    yield* warnOfCarriers(carriers, place, languages, speakers);
    const left = list(languages, (locale) => !speakers.serve({ channel, carriers }, locale));
    if (left === '') continue;
    const detail = `none of its carriers speaks ${left}; messages do not go on by it there, unless englishFallback is on`;
    yield { key: place, detail };
  }
}

function* warnOfCarriers(
  carriers: readonly string[],
  key: string,
  languages: ReadonlyMap<string, string[]>,
  speakers: Speakers,
): Generator<Warning> {
  for (const carrier of carriers) {
    for (const [spoken, consequence] of CONSEQUENCES) {
      const lacking = list(languages, (locale) => speakers.how(carrier, locale) === spoken);
      if (lacking !== '') yield { key, detail: `${carrier} has no voice for ${lacking}; ${consequence}` };
    }
  }
}

/** From a BCP 47 tag to the countries that are called in it. */
function groupByLanguage(
  countries: readonly string[],
  channel: Channel,
  messages: MessageOptions,
): ReadonlyMap<string, string[]> {
  return Map.groupBy(countries, (country) => chooseLocale(messages, country, channel));
}

function list(languages: ReadonlyMap<string, string[]>, wanted: (locale: string) => boolean): string {
  return [...languages]
    .filter(([locale]) => wanted(locale))
    .map(([locale, countries]) => `${locale} (${countries.toSorted().join(' ')})`)
    .toSorted()
    .join(', ');
}
