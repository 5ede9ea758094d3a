import { type Voices, voicesOf } from '../gateway/voices/speech.ts';

/** Locales of text-to-speech callouts, from the type `TtsVoice` of @sinch/voice 1.4.0 (npm), `models/v1/enums.d.ts`. */
export const VOICES: Voices<string> = {
  ...voicesOf(
    String,
    'az-AZ ca-ES cs-CZ da-DK de-DE de-AT el-GR en-US en-AU en-GB en-IN en-NZ en-ZA es-ES es-MX es-US ' +
      'et-EE fi-FI fil-PH fr-FR fr-CA hi-IN hr-HR hu-HU id-ID is-IS it-IT ja-JP ka-GE ko-KR lt-LT lv-LV ' +
      'ms-MY nb-NO nl-NL pl-PL pt-PT pt-BR ro-RO ru-RU sk-SK sl-SI sv-SE th-TH tr-TR uk-UA uz-UZ vi-VN',
  ),
  en: 'en-US',
  ar: 'arb',
  'zh-Hans': 'cmn-CN',
};
