import type { Languages } from '../gateway/speech.ts';

/** Locales of text-to-speech callouts. */
export const VOICES: Languages = {
  da: 'da-DK',
  de: 'de-DE',
  en: 'en-US',
  'en-AU': 'en-AU',
  'en-GB': 'en-GB',
  'en-IN': 'en-IN',
  es: 'es-ES',
  'es-US': 'es-US',
  fr: 'fr-FR',
  'fr-CA': 'fr-CA',
  is: 'is-IS',
  it: 'it-IT',
  ja: 'ja-JP',
  ko: 'ko-KR',
  nb: 'nb-NO',
  nl: 'nl-NL',
  pl: 'pl-PL',
  pt: 'pt-PT',
  'pt-BR': 'pt-BR',
  ro: 'ro-RO',
  ru: 'ru-RU',
  sv: 'sv-SE',
  tr: 'tr-TR',
};
