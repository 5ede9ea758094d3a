/** Which of a carrier's voices speaks a call, and so in which words it is made: one way for all that have a table of voices. */
import type { OutgoingMessage, Spoken } from '../../core/carrier.ts';
import { DEFAULT_LOCALE } from '../../core/locales.ts';
import type { GatewayLine, Unsendable } from './carrier.ts';
import type { GatewayRequest } from './transport.ts';

/** BCP 47 tags of our messages to what the carrier calls a voice of that language. English is what it falls back to. */
export type Voices<V> = Readonly<Record<string, V>> & { readonly [DEFAULT_LOCALE]: V };

/** Puts a call into a request. `text` and `locale` of the message are what `voice` speaks. */
export type MakeCall<V> = (message: OutgoingMessage, voice: V) => GatewayRequest | Unsendable;

/**
 * Voices that carry their language in their name, such as `de-DE`, separated by blanks. The first one of a language speaks it
 * everywhere; the others speak it in their own region.
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

/** The carrier's voice for a language, or for the nearest prefix of it (RFC 4647, section 3.4). */
function findVoice<V>(voices: Voices<V>, locale: string): V | undefined {
  for (let range = locale; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (Object.hasOwn(voices, range)) return voices[range];
  }
  return undefined;
}

/**
 * What a line of calls does. Where there is no voice for the language of a message, English words are spoken by an English
 * voice; without that fallback the call is left to another carrier. A text is never read out in another language than its own.
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
