import { type Voices, voicesOf } from '../gateway/voices/speech.ts';

/** Languages of the `talk` action, from the enumeration `TTSLanguages` of @vonage/voice 1.21.0 (npm). */
export const VOICES: Voices<string> = {
  ...voicesOf(
    String,
    'ar bg-BG bn-IN ca-ES cs-CZ da-DK de-DE de-AT el-GR en-US en-AU en-GB en-IE en-IN en-NZ en-ZA es-ES ' +
      'es-CO es-MX es-US eu-ES fi-FI fil-PH fr-FR fr-CA he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP ko-KR ' +
      'lv-LV ms-MY nb-NO nl-NL pl-PL pt-PT pt-BR ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR ' +
      'uk-UA vi-VN',
  ),
  en: 'en-US',
  'zh-Hans': 'cmn-CN',
  'zh-Hant': 'cmn-TW',
};
