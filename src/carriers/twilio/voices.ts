import type { Voices } from '../gateway/speech.ts';

/** Attributes of `<Say>`. */
export type TwilioVoice =
  | { readonly language: string }
  | { readonly voice: string; readonly language: string }
  | { readonly voice: string };

/** Spoken by the basic voice of the language. */
const basic = (language: string): TwilioVoice => ({ language });
/** A language without a basic voice needs one by name. */
const google = (language: string): TwilioVoice => ({ voice: `Google.${language}-Standard-A`, language });

/** From the types `SayLanguage` and `SayVoice` of twilio 6.2.0 (npm), `lib/twiml/VoiceResponse.d.ts`. */
export const VOICES: Voices<TwilioVoice> = {
  am: google('am-ET'),
  ar: google('ar-XA'),
  bg: google('bg-BG'),
  bn: google('bn-IN'),
  ca: basic('ca-ES'),
  cs: google('cs-CZ'),
  da: basic('da-DK'),
  de: basic('de-DE'),
  el: google('el-GR'),
  en: basic('en-US'),
  'en-AU': basic('en-AU'),
  'en-CA': basic('en-CA'),
  'en-GB': basic('en-GB'),
  'en-IN': basic('en-IN'),
  es: basic('es-ES'),
  'es-MX': basic('es-MX'),
  fi: basic('fi-FI'),
  fil: google('fil-PH'),
  fr: basic('fr-FR'),
  'fr-CA': basic('fr-CA'),
  he: google('he-IL'),
  hi: google('hi-IN'),
  hu: google('hu-HU'),
  id: google('id-ID'),
  is: google('is-IS'),
  it: basic('it-IT'),
  ja: basic('ja-JP'),
  ko: basic('ko-KR'),
  // The name says the language, which `SayLanguage` lacks.
  lt: { voice: 'Google.lt-LT-Standard-A' },
  lv: google('lv-LV'),
  mr: google('mr-IN'),
  ms: google('ms-MY'),
  nb: basic('nb-NO'),
  nl: basic('nl-NL'),
  pl: basic('pl-PL'),
  pt: basic('pt-PT'),
  'pt-BR': basic('pt-BR'),
  ro: google('ro-RO'),
  ru: basic('ru-RU'),
  sk: google('sk-SK'),
  sr: google('sr-RS'),
  sv: basic('sv-SE'),
  ta: google('ta-IN'),
  te: google('te-IN'),
  th: google('th-TH'),
  tr: google('tr-TR'),
  uk: google('uk-UA'),
  vi: google('vi-VN'),
  'zh-Hans': basic('zh-CN'),
  'zh-Hant': basic('zh-TW'),
};
