/** What an SMS says and a call speaks. */
import { CHANNELS, type Channel, isSpoken } from './destination/channel.ts';
import { COUNTRY_LOCALES, DEFAULT_LOCALE, WORDINGS } from './locales.ts';
import { countSegments } from './segments.ts';

/** How messages are worded, from the configuration. */
export interface MessageOptions {
  /** Who the code is for, as its user knows it. */
  readonly brand: string;
  /** One language for all, BCP 47; `de-AT` is served by `de`. */
  readonly locale?: string;
  /** Country (ISO 3166 alpha-2) to language, before the built-in choice. */
  readonly locales?: Readonly<Record<string, string>>;
  /** Own texts by language, with `{{code}}`, `{{brand}}` and `{{minutes}}`, for built-in languages and others. */
  readonly templates?: Readonly<Record<string, MessageTemplate>>;
  /** Adds `@domain #code` as the last line, which browsers fill in: WICG's origin-bound one-time codes. */
  readonly webOtpDomain?: string;
  /** The 11 characters by which Google's SMS Retriever knows the Android app a message is for. */
  readonly smsRetrieverHash?: string;
}

type MessageTemplate = Readonly<Partial<Record<Channel, string>>>;

export interface MessageFacts {
  readonly code: string;
  /** ISO 3166 alpha-2 of the destination, or `ZZ`. */
  readonly country: string;
  readonly channel: Channel;
  readonly validForMs: number;
}

export interface ComposedMessage {
  readonly text: string;
  /** BCP 47 tag of the wording that was used. */
  readonly locale: string;
  /** The same call in English, where it is in another language. */
  readonly english?: string;
}

/** The SMS Retriever passes on nothing longer. Its document does not say in which encoding: both must fit. */
export const SMS_RETRIEVER_BYTES = 140;

const PLACEHOLDER = /\{\{(code|brand|minutes)\}\}/;
const MOST_PARTS = 1_000;
const PARTS = new Map<string, readonly string[]>();
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const RIGHT_TO_LEFT_MARK = '\u200f';
/** A listener rarely has a pen ready the first time. */
const TIMES_SPOKEN = 2;
const PAUSE = ', ';

/** Words a message in the language of the options, or else of the destination's country. */
export function composeMessage(options: MessageOptions, facts: MessageFacts): ComposedMessage {
  const { country, channel } = facts;
  const locale = chooseLocale(options, country, channel);
  const text = wordIn(locale, options, facts);
  return !isSpoken(channel) || isEnglish(locale)
    ? { text, locale }
    : { text, locale, english: wordIn(DEFAULT_LOCALE, options, facts) };
}

/** BCP 47 tag of the words that a message to a country would be put into. */
export function chooseLocale(options: MessageOptions, country: string, channel: Channel): string {
  const wanted =
    options.locale ?? options.locales?.[country] ?? COUNTRY_LOCALES.get(country) ?? DEFAULT_LOCALE;
  return findLocale(options, wanted, channel) ?? DEFAULT_LOCALE;
}

function isEnglish(locale: string): boolean {
  return locale === DEFAULT_LOCALE || locale.startsWith(`${DEFAULT_LOCALE}-`);
}

function wordIn(locale: string, options: MessageOptions, facts: MessageFacts): string {
  const wording = WORDINGS.get(locale);
  const own = ownText(options, locale, facts.channel);
  const kind = CHANNELS[facts.channel].wording;
  const template = own ?? wording?.[kind] ?? '';
  switch (kind) {
    case 'speech':
      return speak(options, facts, template, wording?.pause);
    case 'text':
      return write(options, facts, template, own === undefined ? wording?.warning : undefined);
  }
}

/** The tag, or its nearest prefix (RFC 4647, section 3.4), that there are words for; undefined when there are none. */
export function findLocale(options: MessageOptions, tag: string, channel: Channel): string | undefined {
  for (let range = tag; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (WORDINGS.has(range) || ownText(options, range, channel) !== undefined) return range;
  }
  return undefined;
}

function ownText(options: MessageOptions, locale: string, channel: Channel): string | undefined {
  return options.templates?.[locale]?.[channel];
}

/**
 * Lays out an SMS: the sentence, the warning if there is room, the app's hash, the origin-bound code. Google wants the
 * hash anywhere in the message and WICG the origin-bound code in its last line, so a message can carry both.
 */
function write(
  options: MessageOptions,
  facts: MessageFacts,
  template: string,
  warning: string | undefined,
): string {
  const { webOtpDomain, smsRetrieverHash } = options;
  let sentence = substitute(template, options, facts, facts.code);
  // The first strong letter gives the paragraph its direction, and that of a code with letters is the wrong one.
  if (RIGHT_TO_LEFT.test(template) && /^\P{L}*[A-Za-z]/u.test(sentence)) {
    sentence = RIGHT_TO_LEFT_MARK + sentence;
  }
  const ending =
    (smsRetrieverHash === undefined ? '' : `\n${smsRetrieverHash}`) +
    (webOtpDomain === undefined ? '' : `\n@${webOtpDomain} #${facts.code}`);
  const warned = `${sentence} ${warning}${ending}`;
  return warning !== undefined && fits(warned, smsRetrieverHash !== undefined) ? warned : sentence + ending;
}

/** Whether a text is one segment, and short enough for the SMS Retriever where that matters. */
function fits(text: string, retrieved: boolean): boolean {
  return countSegments(text) === 1 && (!retrieved || Buffer.byteLength(text) <= SMS_RETRIEVER_BYTES);
}

function speak(
  options: MessageOptions,
  facts: MessageFacts,
  template: string,
  pause: string | undefined,
): string {
  const spelled = [...facts.code].join(pause ?? PAUSE);
  return Array(TIMES_SPOKEN)
    .fill(substitute(template, options, facts, spelled))
    .join(' ');
}

/**
 * The words of a call around its code: what comes before it, between its mentions, and after it, once. For carriers
 * that speak the code themselves. No words at all when the text does not hold the code as calls spell it.
 */
export function splitAtCode(text: string, code: string, locale: string): string[] {
  const spelled = [...code].join(WORDINGS.get(locale)?.pause ?? PAUSE);
  const parts = text.split(spelled);
  const mentions = Math.floor((parts.length - 1) / TIMES_SPOKEN);
  return mentions > 0 ? [...parts.slice(0, mentions), parts.at(-1) ?? ''] : ['', ''];
}

const COVER = '•';

/** The text with its code covered, wherever it stands and however it is spelled: for who may not know it. */
export function coverCode({ text, code, locale }: ComposedMessage & { readonly code: string }): string {
  const pause = WORDINGS.get(locale)?.pause ?? PAUSE;
  const covers = [...code].map(() => COVER);
  return text.replaceAll([...code].join(pause), covers.join(pause)).replaceAll(code, covers.join(''));
}

/** One pass, so that a brand which looks like a placeholder stays as it is. */
function substitute(template: string, options: MessageOptions, facts: MessageFacts, code: string): string {
  let text = '';
  for (const [place, part] of partsOf(template).entries()) {
    if (place % 2 === 0) text += part;
    else if (part === 'code') text += code;
    else text += part === 'brand' ? options.brand : Math.max(1, Math.floor(facts.validForMs / 60_000));
  }
  return text;
}

/** A template's texts and, between them, the names of its placeholders. */
function partsOf(template: string): readonly string[] {
  let parts = PARTS.get(template);
  if (parts === undefined) {
    // Accounts may change their templates as often as they like.
    if (PARTS.size >= MOST_PARTS) PARTS.clear();
    parts = template.split(PLACEHOLDER);
    PARTS.set(template, parts);
  }
  return parts;
}
