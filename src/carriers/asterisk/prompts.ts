/** Which characters Asterisk has recordings of, by language. */
import { findSpoken } from '../../core/message/language-range.ts';
import type { Rest } from './rest.ts';

/** Languages by Asterisk's names (`es`, `pt_BR`), each with the characters recorded in it. */
export type Prompts = ReadonlyMap<string, ReadonlySet<string>>;

export interface Recording {
  readonly language: string;
  readonly media: (symbol: string) => string;
}

const SOUND = /^(digits|letters)\/([0-9a-z])$/;

/** Undefined if Asterisk does not say. */
export async function loadPrompts(rest: Rest): Promise<Prompts | undefined> {
  const reply = await rest('GET', '/sounds');
  if (reply.kind === 'failed' || !Array.isArray(reply.body)) return undefined;
  const prompts = new Map<string, Set<string>>();
  for (const { id, formats } of reply.body) {
    const [, , symbol] = SOUND.exec(String(id)) ?? [];
    if (symbol === undefined || !Array.isArray(formats)) continue;
    for (const { language } of formats) {
      const symbols = prompts.get(String(language)) ?? new Set();
      prompts.set(String(language), symbols.add(symbol.toUpperCase()));
    }
  }
  return prompts;
}

/**
 * The recordings of a locale, or of the nearest region of its language, that have every character of a code: for `pt-BR` those of
 * `pt_BR` or `pt`. Asterisk itself would fall back to English in mid-sentence without reporting it.
 */
export function findRecording(prompts: Prompts, locale: string, code: string): Recording | undefined {
  const able = [...prompts].filter(([, symbols]) => [...code].every((symbol) => symbols.has(symbol)));
  const languages = new Map(able.map(([language]) => [language.replaceAll('_', '-'), language]));
  const language = languages.get(findSpoken(locale, languages.keys()) ?? '');
  return language === undefined ? undefined : { language, media: recordedMedia };
}

function recordedMedia(symbol: string): string {
  return /\d/.test(symbol) ? `sound:digits/${symbol}` : `sound:letters/${symbol.toLowerCase()}`;
}
