import type { Languages } from '../gateway/speech.ts';

/** Languages of the voice `alice`. */
export const VOICES: Languages = {
  da: 'da-DK',
  de: 'de-DE',
  en: 'en-US',
  'en-AU': 'en-AU',
  'en-GB': 'en-GB',
  'en-IN': 'en-IN',
  es: 'es-ES',
  'es-MX': 'es-MX',
  fr: 'fr-FR',
  'fr-CA': 'fr-CA',
  it: 'it-IT',
  ja: 'ja-JP',
  ko: 'ko-KR',
  nb: 'nb-NO',
  nl: 'nl-NL',
  pl: 'pl-PL',
  pt: 'pt-PT',
  'pt-BR': 'pt-BR',
  ru: 'ru-RU',
  sv: 'sv-SE',
};
