/** Which of a carrier's voices speaks the language of a message. */
import type { Unsendable } from './carrier.ts';

/** BCP 47 tags of our messages to the tag that the carrier wants. */
export type Languages = Readonly<Record<string, string>>;

/** The carrier's tag for a language, or for the nearest prefix of it (RFC 4647, section 3.4). */
export function findVoice(languages: Languages, locale: string): string | undefined {
  for (let range = locale; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (Object.hasOwn(languages, range)) return languages[range];
  }
  return undefined;
}

/** A text read out in the wrong language is no code: another carrier may have the voice. */
export function speechless(locale: string): Unsendable {
  return { kind: 'permanent', reason: `no voice for ${locale}` };
}
