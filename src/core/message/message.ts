/** The texts of SMS and calls. */
import { type BasicChannel, type Channel, isMissedCall, isSpoken, wordsOf } from '../destination/channel.ts';
import { findWritten } from './language-range.ts';
import { COUNTRY_LOCALES, DEFAULT_LOCALE, WORDINGS } from './locales.ts';
import { chooseRegistered, type RegisteredTexts, type Registration } from './registered.ts';
import { countSegments } from './segments.ts';

/** The wording of messages, from the configuration. */
export interface MessageOptions {
  /** What the code is for, as users know it. */
  readonly brand: string;
  /** One language for all messages, BCP 47; `de-AT` uses `de`, and `zh-TW` uses `zh-Hant`. */
  readonly locale?: string;
  /** Country (ISO 3166 alpha-2) to language; goes before the built-in choice. */
  readonly locales?: Readonly<Record<string, string>>;
  /** Custom texts by language, with `{{code}}`, `{{brand}}` and `{{minutes}}`, for built-in and other languages. */
  readonly templates?: MessageTemplates;
  /** Custom texts by a name that requests ask for them by, and by language, the one to fall back to first. */
  readonly named?: Readonly<Record<string, MessageTemplates>>;
  /** By country: SMS go there only in these words. Goes before all other texts. */
  readonly registered?: Readonly<Record<string, RegisteredTexts>>;
  /** Adds the last line `@domain #code`, which browsers fill in (WICG's origin-bound one-time codes). */
  readonly webOtpDomain?: string;
  /** Countries (ISO 3166 alpha-2) whose SMS go without that line. */
  readonly webOtpExcept?: readonly string[];
  /** The 11 characters that tell Google's SMS Retriever which Android app a message is for. */
  readonly smsRetrieverHash?: string;
}

export type MessageTemplates = Readonly<Record<string, MessageTemplate>>;
type MessageTemplate = Readonly<Partial<Record<BasicChannel, string>>>;

/** What a request asks of the wording of its own message. */
export interface MessageRequest {
  /** BCP 47; goes before all options. */
  readonly locale?: string | undefined;
  /** One of the named texts. */
  readonly template?: string | undefined;
  /** Instead of `smsRetrieverHash`. */
  readonly appHash?: string | undefined;
}

export interface MessageFacts {
  readonly code: string;
  /** ISO 3166 alpha-2 of the destination, or `ZZ`. */
  readonly country: string;
  readonly channel: Channel;
  readonly validForMs: number;
  readonly wish?: MessageRequest | undefined;
}

/** The text for a message, and the language that it is in. */
interface Choice {
  readonly locale: string;
  /** Undefined: the built-in words. */
  readonly own: string | undefined;
  /** It was registered word for word, so nothing is added to it. */
  readonly isRegistered?: true;
  readonly registration?: Registration | undefined;
}

export interface ComposedMessage {
  readonly text: string;
  /** BCP 47 tag of the wording that was used. */
  readonly locale: string;
  /** The same call in English, if it is in another language. */
  readonly english?: string;
  /** Under what the text is registered in the destination's country, if carriers have to name it. */
  readonly registration?: Registration;
}

/** The SMS Retriever passes on nothing longer. Its documentation does not say in which encoding, so both must fit. */
export const SMS_RETRIEVER_BYTES = 140;

/** A longer RCS message costs more: up to here it is what networks bill as a basic one, by bytes (Google's guide on sending). */
const BASIC_RCS_BYTES = 160;

const PLACEHOLDER = /\{\{(code|brand|minutes)\}\}/;
const MOST_PARTS = 1_000;
const PARTS = new Map<string, readonly string[]>();
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const RIGHT_TO_LEFT_MARK = '\u200f';
/** People rarely have a pen ready the first time. */
const TIMES_SPOKEN = 2;
const PAUSE = ', ';

/** Writes a message in the language that its request or the options ask for, or else of the destination's country. A missed call says nothing. */
export function composeMessage(options: MessageOptions, facts: MessageFacts): ComposedMessage {
  const { channel, wish } = facts;
  if (isMissedCall(channel)) return { text: '', locale: DEFAULT_LOCALE };
  const choice = chooseText(options, facts);
  const { locale, registration } = choice;
  const text = wordIn(choice, options, facts);
  if (registration !== undefined) return { text, locale, registration };
  if (!isSpoken(channel) || isEnglish(locale)) return { text, locale };
  const own = namedText(options, wish, DEFAULT_LOCALE, channel) ?? ownText(options, DEFAULT_LOCALE, channel);
  return { text, locale, english: wordIn({ locale: DEFAULT_LOCALE, own }, options, facts) };
}

/** BCP 47 tag of the language of messages to a country. */
export function chooseLocale(
  options: MessageOptions,
  country: string,
  channel: Channel,
  wish?: MessageRequest,
): string {
  return chooseText(options, { country, channel, wish }).locale;
}

/** A named text goes before all others, even in another language than the wanted one. */
function chooseText(
  options: MessageOptions,
  { country, channel, wish }: Pick<MessageFacts, 'country' | 'channel' | 'wish'>,
): Choice {
  const usual =
    options.locale ?? options.locales?.[country] ?? COUNTRY_LOCALES.get(country) ?? DEFAULT_LOCALE;
  const registered = options.registered?.[country];
  if (registered !== undefined && channel === 'sms') {
    return chooseRegistered(registered, wish?.locale ?? usual, wish?.template);
  }
  if (wish?.template !== undefined) {
    const textIn = (tag: string) => namedText(options, wish, tag, channel);
    const tags = Object.keys(namedTexts(options, wish) ?? {}).filter((tag) => textIn(tag) !== undefined);
    const locale = findWritten(wish.locale ?? usual, tags) ?? tags[0];
    if (locale !== undefined) return { locale, own: textIn(locale) };
  }
  const wished = wish?.locale === undefined ? undefined : findLocale(options, wish.locale, channel);
  const locale = wished ?? findLocale(options, usual, channel) ?? DEFAULT_LOCALE;
  return { locale, own: ownText(options, locale, channel) };
}

function isEnglish(locale: string): boolean {
  return locale === DEFAULT_LOCALE || locale.startsWith(`${DEFAULT_LOCALE}-`);
}

function wordIn({ locale, own, isRegistered }: Choice, options: MessageOptions, facts: MessageFacts): string {
  if (isRegistered) return substitute(own ?? '', options, facts, facts.code);
  const wording = WORDINGS.get(locale);
  const kind = isSpoken(facts.channel) ? 'speech' : 'text';
  const template = own ?? wording?.[kind] ?? '';
  return kind === 'speech'
    ? speak(options, facts, template, wording?.pause)
    : write(options, facts, template, own === undefined ? wording?.warning : undefined);
}

/** The tag, or the nearest, that there is a text for; undefined if there is none in its language. */
export function findLocale(options: MessageOptions, tag: string, channel: Channel): string | undefined {
  const isThere = (each: string) => WORDINGS.has(each) || ownText(options, each, channel) !== undefined;
  if (isThere(tag)) return tag;
  return findWritten(tag, [...Object.keys(options.templates ?? {}).filter(isThere), ...WORDINGS.keys()]);
}

function ownText(options: MessageOptions, locale: string, channel: Channel): string | undefined {
  return options.templates?.[locale]?.[wordsOf(channel)];
}

/** Undefined, too, of a name that is no longer configured: a message of before is then worded as usual. */
function namedTexts(
  { named }: MessageOptions,
  wish: MessageRequest | undefined,
): MessageTemplates | undefined {
  const template = wish?.template;
  return template !== undefined && named !== undefined && Object.hasOwn(named, template)
    ? named[template]
    : undefined;
}

function namedText(
  options: MessageOptions,
  wish: MessageRequest | undefined,
  locale: string,
  channel: Channel,
): string | undefined {
  return namedTexts(options, wish)?.[locale]?.[wordsOf(channel)];
}

/**
 * Puts an SMS together: the sentence, the warning if there is room, the app's hash, the origin-bound code. The hash may be
 * anywhere and the origin-bound code must be the last line, so a message can have both.
 */
function write(
  options: MessageOptions,
  facts: MessageFacts,
  template: string,
  warning: string | undefined,
): string {
  const { webOtpDomain, webOtpExcept = [] } = options;
  const hasWebOtp = webOtpDomain !== undefined && !webOtpExcept.includes(facts.country);
  const smsRetrieverHash = facts.wish?.appHash ?? options.smsRetrieverHash;
  let sentence = substitute(template, options, facts, facts.code);
  // The first strong letter sets the direction of the paragraph, and a code with letters sets the wrong one.
  if (RIGHT_TO_LEFT.test(template) && /^\P{L}*[A-Za-z]/u.test(sentence)) {
    sentence = RIGHT_TO_LEFT_MARK + sentence;
  }
  const { channel } = facts;
  // Only the app for SMS hands them on, which is that for RCS. Of browsers nothing is known there.
  if (channel !== 'sms' && channel !== 'rcs')
    return warning === undefined ? sentence : `${sentence} ${warning}`;
  const ending =
    (smsRetrieverHash === undefined ? '' : `\n${smsRetrieverHash}`) +
    (channel === 'sms' && hasWebOtp ? `\n@${webOtpDomain} #${facts.code}` : '');
  const warned = `${sentence} ${warning}${ending}`;
  const isRetrieved = smsRetrieverHash !== undefined;
  return warning !== undefined && fits(warned, channel, isRetrieved) ? warned : sentence + ending;
}

/** Whether a text costs what a message costs at least, and is short enough for the SMS Retriever if that is used. */
function fits(text: string, channel: 'sms' | 'rcs', retrieved: boolean): boolean {
  const isOne = channel === 'sms' ? countSegments(text) === 1 : Buffer.byteLength(text) <= BASIC_RCS_BYTES;
  return isOne && (!retrieved || Buffer.byteLength(text) <= SMS_RETRIEVER_BYTES);
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
 * The words of a call before, between and after its mentions of the code, for carriers that speak the code themselves. All
 * empty if the text does not contain the code as calls spell it.
 */
export function splitAtCode(text: string, code: string, locale: string): string[] {
  const spelled = [...code].join(WORDINGS.get(locale)?.pause ?? PAUSE);
  const parts = text.split(spelled);
  const mentions = Math.floor((parts.length - 1) / TIMES_SPOKEN);
  return mentions > 0 ? [...parts.slice(0, mentions), parts.at(-1) ?? ''] : ['', ''];
}

const COVER = '•';

/** The text with every mention of the code covered. */
export function coverCode({ text, code, locale }: ComposedMessage & { readonly code: string }): string {
  const pause = WORDINGS.get(locale)?.pause ?? PAUSE;
  const covers = [...code].map(() => COVER);
  return text.replaceAll([...code].join(pause), covers.join(pause)).replaceAll(code, covers.join(''));
}

/** In one pass, so that a brand that looks like a placeholder stays as it is. */
export function substitute(
  template: string,
  options: MessageOptions,
  facts: Pick<MessageFacts, 'validForMs'>,
  code: string,
): string {
  let text = '';
  for (const [place, part] of partsOf(template).entries()) {
    if (place % 2 === 0) text += part;
    else if (part === 'code') text += code;
    else text += part === 'brand' ? options.brand : Math.max(1, Math.floor(facts.validForMs / 60_000));
  }
  return text;
}

/** A template's texts, alternating with the names of its placeholders. */
function partsOf(template: string): readonly string[] {
  let parts = PARTS.get(template);
  if (parts === undefined) {
    // Bounded, because templates can change at any time.
    if (PARTS.size >= MOST_PARTS) PARTS.clear();
    parts = template.split(PLACEHOLDER);
    PARTS.set(template, parts);
  }
  return parts;
}
