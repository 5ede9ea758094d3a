/** The language of the element: its words, and how numbers and countries are written. */
import { ja, ko, zhHans, zhHant } from './words/east-asia.ts';
import { pl, ru, tr } from './words/eastern-europe.ts';
import { bn, hi, id, vi } from './words/south-asia.ts';
import { ar, fa, ur } from './words/western-asia.ts';
import { de, en, es, fr, it, pt } from './words/western-europe.ts';
import type { Words } from './words/words.ts';

export interface Language {
  /** The BCP 47 tag that was asked for, such as `de-AT`. */
  readonly tag: string;
  readonly words: Words;
  readonly dir: 'ltr' | 'rtl';
}

/** BCP 47 tag to words. */
export const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    ...{ ar, bn, de, en, es, fa, fr, hi, id, it, ja, ko, pl, pt, ru, tr, ur, vi },
    'zh-Hans': zhHans,
    'zh-Hant': zhHant,
  }),
);

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'ur']);

/** The first of the tags that there are words for; English if there is none. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const known = knownOf(tag);
    const words = WORDS.get(known);
    if (words !== undefined) return { tag, words, dir: RIGHT_TO_LEFT.has(known) ? 'rtl' : 'ltr' };
  }
  return { tag: 'en', words: en, dir: 'ltr' };
}

/** As the service chooses the language of messages: Taiwan and Hong Kong write the traditional script, whether the tag says so or not. */
function knownOf(tag: string): string {
  try {
    const locale = new Intl.Locale(tag);
    const { language } = locale;
    // Cantonese is spoken, and Chinese written.
    if (language !== 'zh' && language !== 'yue') return language;
    return locale.maximize().script === 'Hant' ? 'zh-Hant' : 'zh-Hans';
  } catch {
    return '';
  }
}

/** `0:29`, `1:05:00`, in the language's own digits. */
export function formatTime(seconds: number, tag: string): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  const two = new Intl.NumberFormat(tag, { minimumIntegerDigits: 2 });
  return [new Intl.NumberFormat(tag).format(first ?? 0), ...rest.map((part) => two.format(part))].join(':');
}
