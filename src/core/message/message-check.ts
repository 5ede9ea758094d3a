/** Finds faults in configured messages when the service starts, instead of when a telephone stays silent. */
import { BASIC_CHANNELS, CHANNELS, isSpoken } from '../destination/channel.ts';
import { isHostName } from '../text/host-name.ts';
import { COUNTRY_LOCALES, DEFAULT_LOCALE, WORDINGS } from './locales.ts';
import {
  composeMessage,
  findLocale,
  type MessageOptions,
  type MessageTemplates,
  SMS_RETRIEVER_BYTES,
} from './message.ts';
import { checkPlaceholders, checkTag, error, type MessageProblem, warning } from './message-problem.ts';
import { checkRegistered } from './registered-check.ts';
import { countSegments } from './segments.ts';

/** The longest that can be configured. */
const CODE_LENGTH = 10;
/** The channels with messages to read. */
const WRITTEN = BASIC_CHANNELS.filter((channel) => !isSpoken(channel));
const COUNTRY_LESS = 'ZZ';

/** Finds what cannot work (errors) and what has a cost or a drawback (warnings), with codes of that length. */
export function checkMessages(options: MessageOptions, codeLength = CODE_LENGTH): MessageProblem[] {
  const problems = [
    ...checkAdditions(options),
    ...checkLocales(options),
    ...checkAllTexts(options),
    ...checkRegistered(options),
  ];
  if (problems.some(({ level }) => level === 'error')) return problems;
  return [
    ...problems,
    ...checkLengths(options, codeLength),
    ...checkNamedLengths(options, codeLength),
    ...checkRegisteredLengths(options, codeLength),
  ];
}

function* checkAdditions({
  brand,
  webOtpDomain,
  webOtpExcept = [],
  smsRetrieverHash,
}: MessageOptions): Generator<MessageProblem> {
  if (brand.trim() === '' || /\p{Cc}/u.test(brand)) yield error('brand', 'Expected a name on one line.');
  if (webOtpDomain !== undefined && !isHostName(webOtpDomain)) {
    yield error(
      'webOtpDomain',
      'Expected a host name in lower case (in Punycode if it is not ASCII), not a URL.',
    );
  }
  for (const country of webOtpExcept) {
    if (!COUNTRY_LOCALES.has(country))
      yield error('webOtpExcept', `${country} is no country (ISO 3166 alpha-2).`);
  }
  if (smsRetrieverHash !== undefined && !/^[A-Za-z\d+/]{11}$/.test(smsRetrieverHash)) {
    yield error(
      'smsRetrieverHash',
      'Expected the 11 characters of A-Z, a-z, 0-9, + and / that the app computes.',
    );
  }
}

function* checkLocales(options: MessageOptions): Generator<MessageProblem> {
  if (options.locale !== undefined) yield* checkLocale(options, 'locale', options.locale);
  for (const [country, tag] of Object.entries(options.locales ?? {})) {
    const key = `locales.${country}`;
    if (country !== COUNTRY_LESS && !COUNTRY_LOCALES.has(country)) {
      yield error(key, 'Expected a country as two capital letters (ISO 3166 alpha-2).');
    }
    yield* checkLocale(options, key, tag);
  }
}

function* checkLocale(options: MessageOptions, key: string, tag: string): Generator<MessageProblem> {
  const misspelled = checkTag(key, tag);
  if (misspelled) yield misspelled;
  const lacking = BASIC_CHANNELS.filter((channel) => findLocale(options, tag, channel) === undefined);
  if (misspelled || lacking.length === 0) return;
  if (WRITTEN.every((channel) => lacking.includes(channel))) {
    yield error(
      key,
      `There are no words for ${tag}: add a template, or use one of ${[...WORDINGS.keys()].join(', ')}.`,
    );
    return;
  }
  for (const channel of lacking) {
    const { many } = CHANNELS[channel];
    yield warning(key, `There is no ${channel} template for ${tag}: ${many} will be in ${DEFAULT_LOCALE}.`);
  }
}

function* checkAllTexts({ templates = {}, named = {} }: MessageOptions): Generator<MessageProblem> {
  yield* checkTemplates('templates', templates);
  for (const [name, texts] of Object.entries(named)) yield* checkTemplates(`named.${name}`, texts);
}

function* checkTemplates(group: string, templates: MessageTemplates): Generator<MessageProblem> {
  for (const [tag, template] of Object.entries(templates)) {
    const misspelled = checkTag(`${group}.${tag}`, tag);
    if (misspelled) yield misspelled;
    for (const channel of BASIC_CHANNELS) {
      const text = template[channel];
      if (text === undefined) continue;
      const key = `${group}.${tag}.${channel}`;
      if (!isSpoken(channel) && text.includes('{{code}}') && !text.startsWith('{{code}}')) {
        yield warning(key, 'The code should come first, so that it shows on a lock screen.');
      }
      yield* checkPlaceholders(key, text);
    }
  }
}

/** Composes an SMS in every language. Letters make the longer codes, in scripts that run from right to left. */
function* checkLengths(options: MessageOptions, codeLength: number): Generator<MessageProblem> {
  const { smsRetrieverHash, webOtpDomain } = options;
  const addition =
    webOtpDomain !== undefined
      ? 'webOtpDomain'
      : smsRetrieverHash !== undefined
        ? 'smsRetrieverHash'
        : 'brand';
  const split: string[] = [];
  const unretrieved: string[] = [];
  const code = 'H'.repeat(codeLength);
  for (const tag of reachableLocales(options)) {
    const { text, locale } = composeMessage(
      { ...options, locale: tag, registered: {} },
      { code, country: longestIn(options, tag), channel: 'sms', validForMs: 600_000 },
    );
    const segments = countSegments(text);
    if (segments > 1 && options.templates?.[locale]?.sms !== undefined) {
      yield warning(`templates.${locale}.sms`, `The SMS takes ${segments} segments.`);
    } else if (segments > 1) split.push(locale);
    if (smsRetrieverHash !== undefined && Buffer.byteLength(text) > SMS_RETRIEVER_BYTES)
      unretrieved.push(locale);
  }
  if (split.length > 0)
    yield warning(addition, `The SMS takes more than one segment in: ${split.join(', ')}.`);
  if (unretrieved.length > 0) {
    const detail = `The SMS is over the SMS Retriever's ${SMS_RETRIEVER_BYTES} bytes in: ${unretrieved.join(', ')}.`;
    yield warning('smsRetrieverHash', detail);
  }
}

/** The same of the texts that requests ask for by name. */
function* checkNamedLengths(options: MessageOptions, codeLength: number): Generator<MessageProblem> {
  const facts = {
    code: 'H'.repeat(codeLength),
    country: COUNTRY_LESS,
    channel: 'sms',
    validForMs: 600_000,
  } as const;
  for (const [template, texts] of Object.entries(options.named ?? {})) {
    for (const tag of Object.keys(texts)) {
      if (texts[tag]?.sms === undefined) continue;
      const { text } = composeMessage(options, { ...facts, wish: { template, locale: tag } });
      const segments = countSegments(text);
      if (segments > 1) yield warning(`named.${template}.${tag}.sms`, `The SMS takes ${segments} segments.`);
    }
  }
}

/** Nobody can shorten a text that is registered; it may still cost more than expected. */
function* checkRegisteredLengths(options: MessageOptions, codeLength: number): Generator<MessageProblem> {
  const facts = { code: 'H'.repeat(codeLength), channel: 'sms', validForMs: 600_000 } as const;
  for (const [country, { texts, named = {} }] of Object.entries(options.registered ?? {})) {
    const all = [[undefined, texts] as const, ...Object.entries(named)];
    for (const [template, byLanguage] of all) {
      for (const locale of Object.keys(byLanguage)) {
        const { text } = composeMessage(options, { ...facts, country, wish: { template, locale } });
        const segments = countSegments(text);
        const place = template === undefined ? 'texts' : `named.${template}`;
        if (segments > 1)
          yield warning(`registered.${country}.${place}.${locale}`, `The SMS takes ${segments} segments.`);
      }
    }
  }
}

/** A country of that language whose SMS are the longest: with the line of `webOtpDomain`, if any of them has it. */
function longestIn({ locale, locales = {}, webOtpExcept = [] }: MessageOptions, tag: string): string {
  if (locale !== undefined) return COUNTRY_LESS;
  const countries = [...COUNTRY_LOCALES.keys()].filter(
    (country) => (locales[country] ?? COUNTRY_LOCALES.get(country)) === tag,
  );
  return countries.find((country) => !webOtpExcept.includes(country)) ?? countries[0] ?? COUNTRY_LESS;
}

function reachableLocales({ locale, locales = {} }: MessageOptions): ReadonlySet<string> {
  if (locale !== undefined) return new Set([locale]);
  const builtIn = [...COUNTRY_LOCALES].filter(([country]) => locales[country] === undefined);
  return new Set([DEFAULT_LOCALE, ...builtIn.map(([, tag]) => tag), ...Object.values(locales)]);
}
