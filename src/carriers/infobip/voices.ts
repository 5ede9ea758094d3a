import type { Languages } from '../gateway/speech.ts';

/** Languages of text to speech; each is read by its default voice. */
export const VOICES: Languages = {
  da: 'da',
  de: 'de',
  en: 'en',
  es: 'es',
  fr: 'fr',
  it: 'it',
  ja: 'ja',
  nl: 'nl',
  pl: 'pl',
  pt: 'pt-pt',
  'pt-BR': 'pt-br',
  ro: 'ro',
  ru: 'ru',
  sv: 'sv',
  tr: 'tr',
};
