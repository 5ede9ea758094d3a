import { type Voices, voicesOf } from '../gateway/voices/speech.ts';

/** Attributes of `<Say>`. Without a voice Telnyx takes one that speaks only English. */
export type TelnyxVoice = { readonly voice: 'alice'; readonly language: string } | { readonly voice: string };

const alice = (language: string): TelnyxVoice => ({ voice: 'alice', language });
/** The name of an Azure voice says its language. */
const azure = (name: string): TelnyxVoice => ({ voice: `Azure.${name}Neural` });

/**
 * For `alice`, the languages in the type of `speak` in telnyx 7.24.0 (npm), `resources/calls/actions.d.ts`. For all others
 * the page on TeXML's `<Say>` takes `Azure.VoiceId` and links to Microsoft's list of voices (Azure AI Speech, language support).
 */
export const VOICES: Voices<TelnyxVoice> = {
  ...voicesOf(
    alice,
    'da-DK de-DE en-US en-AU en-GB en-IN es-ES es-MX es-US fr-FR fr-CA hi-IN is-IS it-IT ja-JP ko-KR ' +
      'nb-NO nl-NL pl-PL pt-PT pt-BR ro-RO ru-RU sv-SE tr-TR',
  ),
  ...voicesOf(
    azure,
    'am-ET-Mekdes az-AZ-Banu bg-BG-Kalina bn-BD-Nabanita bs-BA-Vesna ca-ES-Joana cs-CZ-Vlasta ' +
      'el-GR-Athina et-EE-Anu fa-IR-Dilara fi-FI-Noora fil-PH-Blessica he-IL-Hila hr-HR-Gabrijela ' +
      'hu-HU-Noemi hy-AM-Anahit id-ID-Gadis ka-GE-Eka kk-KZ-Aigul km-KH-Sreymom lo-LA-Keomany lt-LT-Ona ' +
      'lv-LV-Everita mk-MK-Marija mn-MN-Yesui mr-IN-Aarohi ms-MY-Yasmin my-MM-Nilar ne-NP-Hemkala ' +
      'sk-SK-Viktoria sl-SI-Petra sq-AL-Anila sw-TZ-Rehema ta-IN-Pallavi te-IN-Shruti th-TH-Premwadee ' +
      'uk-UA-Polina ur-PK-Uzma uz-UZ-Madina vi-VN-HoaiMy',
  ),
  ar: alice('arb'),
  en: alice('en-US'),
  // Azure's other Serbian voice reads Cyrillic.
  'sr-Latn': azure('sr-Latn-RS-Sophie'),
  'zh-Hans': alice('cmn-CN'),
  'zh-Hant': azure('zh-TW-HsiaoChen'),
};
