import { type Voices, voicesOf } from '../gateway/voices/speech.ts';

/** Attributes of `<Say>`. */
export type TwilioVoice =
  | { readonly language: string }
  | { readonly voice: string; readonly language: string }
  | { readonly voice: string };

/** The basic voice of the language. */
const basic = (language: string): TwilioVoice => ({ language });
/** A language without a basic voice needs one by name. */
const google = (language: string): TwilioVoice => ({ voice: `Google.${language}-Standard-A`, language });

/** From the types `SayLanguage` and `SayVoice` of twilio 6.2.0 (npm), `lib/twiml/VoiceResponse.d.ts`. */
export const VOICES: Voices<TwilioVoice> = {
  ...voicesOf(
    basic,
    'ca-ES da-DK de-DE en-US en-AU en-CA en-GB en-IN es-ES es-MX fi-FI fr-FR fr-CA it-IT ja-JP ko-KR ' +
      'nb-NO nl-NL pl-PL pt-PT pt-BR ru-RU sv-SE',
  ),
  ...voicesOf(
    google,
    'am-ET ar-XA bg-BG bn-IN cs-CZ el-GR fil-PH he-IL hi-IN hu-HU id-ID is-IS lv-LV mr-IN ms-MY ro-RO ' +
      'sk-SK sr-RS ta-IN te-IN th-TH tr-TR uk-UA vi-VN',
  ),
  en: basic('en-US'),
  // The name says the language, which `SayLanguage` lacks.
  lt: { voice: 'Google.lt-LT-Standard-A' },
  'zh-Hans': basic('zh-CN'),
  'zh-Hant': basic('zh-TW'),
};
