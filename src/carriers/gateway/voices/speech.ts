/** Which of a carrier's voices speaks a call, and so in which language: shared by all carriers with a table of voices. */

import { findSpoken } from '../../../core/message/language-range.ts';
import { DEFAULT_LOCALE } from '../../../core/message/locales.ts';
import type { OutgoingMessage, Spoken } from '../../../core/sending/carrier.ts';
import type { GatewayLine, Unsendable } from '../carrier.ts';
import type { GatewayRequest } from '../transport.ts';

/** From the BCP 47 tags of our messages to the carrier's voice for that language. English is the fallback. */
export type Voices<V> = Readonly<Record<string, V>> & { readonly [DEFAULT_LOCALE]: V };

/** Puts a call into a request. `text` and `locale` of the message are what `voice` speaks. */
export type MakeCall<V> = (message: OutgoingMessage, voice: V) => GatewayRequest | Unsendable;

/**
 * Voices with their language in their name, such as `de-DE`, separated by spaces. The first one of a language is its
 * default; the others speak it in their own region.
 */
export function voicesOf<V>(toVoice: (name: string) => V, names: string): Record<string, V> {
  const voices: Record<string, V> = {};
  for (const name of names.split(' ')) {
    const [language = ''] = name.split('-', 1);
    const [tag = ''] = Object.hasOwn(voices, language) ? Intl.getCanonicalLocales(name) : [language];
    voices[tag] = toVoice(name);
  }
  return voices;
}

/**
 * The usual voices, and in their place those that the operator chose by name. One that is chosen for `es` speaks all Spanish,
 * unless another is chosen for `es-MX`.
 */
export function withChosen<V>(
  usual: Voices<V>,
  chosen: Readonly<Record<string, string>> | undefined,
  toVoice: (name: string) => V,
): Voices<V> {
  if (chosen === undefined) return usual;
  const own = Object.fromEntries(Object.entries(chosen).map(([tag, name]) => [tag, toVoice(name)]));
  const others = Object.entries(usual).filter(
    ([usualTag]) => !Object.keys(chosen).some((tag) => `${usualTag}-`.startsWith(`${tag}-`)),
  );
  const kept = Object.fromEntries(others);
  return { ...kept, ...own, [DEFAULT_LOCALE]: own[DEFAULT_LOCALE] ?? usual[DEFAULT_LOCALE] };
}

/** The carrier's voice for a language, or for the nearest region of it. */
function findVoice<V>(voices: Voices<V>, locale: string): V | undefined {
  const tag = findSpoken(locale, Object.keys(voices));
  return tag === undefined ? undefined : voices[tag];
}

/**
 * The voice line of a carrier. If there is no voice for the language of a message, an English voice speaks English
 * words; without that fallback the call is left to another carrier. A text is never read out in the voice of another
 * language.
 */
export function speak<V>(
  voices: Voices<V>,
  englishFallback: boolean,
  make: MakeCall<V>,
): Required<Pick<GatewayLine, 'request' | 'speaks'>> {
  const speaks = (locale: string): Spoken => {
    if (findVoice(voices, locale) !== undefined) return 'as-written';
    return englishFallback ? 'in-english' : 'not-at-all';
  };
  return {
    speaks,
    request(message) {
      const { locale, english } = message;
      const voice = findVoice(voices, locale);
      if (voice !== undefined) return make(message, voice);
      if (!englishFallback || english === undefined) {
        return { kind: 'permanent', reason: `no voice for ${locale}` };
      }
      return make({ ...message, text: english, locale: DEFAULT_LOCALE }, voices[DEFAULT_LOCALE]);
    },
  };
}
