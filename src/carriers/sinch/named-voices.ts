/**
 * The voices of Sinch's text-to-speech callouts, by the language that each speaks: those of the type `TtsVoice` of @sinch/voice 1.4.0
 * (npm), `models/v1/enums.d.ts`, as names, as locales and as locales with a gender. The type has each name after its locale. A
 * voice of two languages is listed under the first.
 */
import { byName } from '../gateway/voices/names.ts';

const BY_LANGUAGE: Readonly<Record<string, string>> = {
  ar: 'arb arb/female Zeina',
  az: 'az-AZ az-AZ/female az-AZ/male Banu Babek',
  ca: 'ca-ES ca-ES/female Arlet',
  cs: 'cs-CZ cs-CZ/female cs-CZ/male Vlasta Antonin',
  cy: 'cy-GB cy-GB/female Gwyneth',
  da: 'da-DK da-DK/female da-DK/male Naja Mads',
  de: 'de-DE de-DE/female de-DE/male Marlene Vicki Hans Daniel de-AT de-AT/female Hannah',
  el: 'el-GR el-GR/female el-GR/male Athina Nestoras',
  en:
    'en-AU en-AU/female en-AU/male Nicole Olivia Russell en-GB en-GB/female en-GB/male Amy Emma Brian Arthur ' +
    'en-IN en-IN/female Aditi Raveena Kajal en-NZ en-NZ/female Aria en-ZA en-ZA/female Ayanda en-US ' +
    'en-US/female en-US/male Ivy Joanna Kendra Kimberly Salli Joey Justin Kevin Matthew en-GB-WLS ' +
    'en-GB-WLS/male Geraint',
  es:
    'es-ES es-ES/female es-ES/male Conchita Lucia Enrique es-MX es-MX/female Mia es-US es-US/female ' +
    'es-US/male Lupe Penélope Penelope Miguel Pedro',
  et: 'et-EE et-EE/female et-EE/male Anu Kert',
  fi: 'fi-FI fi-FI/female Suvi',
  fil: 'fil-PH fil-PH/female fil-PH/male Angelo Blessica',
  fr:
    'fr-FR fr-FR/female fr-FR/male Céline Celine Léa Mathieu fr-CA fr-CA/female fr-CA/male Chantal Gabrielle ' +
    'Liam',
  hi: 'hi-IN hi-IN/female',
  hr: 'hr-HR hr-HR/female hr-HR/male Gabrijela Srecko',
  hu: 'hu-HU hu-HU/female hu-HU/male Noemi Tamas',
  id: 'id-ID id-ID/female id-ID/male Ardi Gadis',
  is: 'is-IS is-IS/female is-IS/male Dóra Dora Karl',
  it: 'it-IT it-IT/female it-IT/male Carla Bianca Giorgio',
  ja: 'ja-JP ja-JP/female ja-JP/male Mizuki Takumi',
  ka: 'ka-GE ka-GE/female ka-GE/male Eka Giorgi',
  ko: 'ko-KR ko-KR/female Seoyeon',
  lt: 'lt-LT lt-LT/female lt-LT/male Ona Leonas',
  lv: 'lv-LV lv-LV/female lv-LV/male Everita Nils',
  ms: 'ms-MY ms-MY/female ms-MY/male Osman Yasmin',
  mt: 'mt-MT mt-MT/female mt-MT/male Grace Joseph',
  nb: 'nb-NO nb-NO/female Liv',
  nl: 'nl-NL nl-NL/female nl-NL/male Lotte Ruben',
  pl: 'pl-PL pl-PL/female pl-PL/male Ewa Maja Jacek Jan',
  pt:
    'pt-BR pt-BR/female pt-BR/male Camila Vitória Vitoria Ricardo pt-PT pt-PT/female pt-PT/male Inês Ines ' +
    'Cristiano',
  ro: 'ro-RO ro-RO/female Carmen',
  ru: 'ru-RU ru-RU/female ru-RU/male Tatyana Maxim',
  sk: 'sk-SK sk-SK/female sk-SK/male Viktoria Lukas',
  sl: 'sl-SI sl-SI/female sl-SI/male Petra Rok',
  sv: 'sv-SE sv-SE/female Astrid',
  th: 'th-TH th-TH/female th-TH/male Achara Niwat Premwadee',
  tr: 'tr-TR tr-TR/male Filiz',
  uk: 'uk-UA uk-UA/female uk-UA/male Polina Ostap',
  uz: 'uz-UZ uz-UZ/female uz-UZ/male Madina Sardor',
  vi: 'vi-VN vi-VN/female vi-VN/male HoaiMy NamMinh',
  yue: 'zh-HK zh-HK/female zh-HK/male HiuGaai HiuMaan WanLung',
  zh: 'cmn-CN cmn-CN/female Zhiyu',
};

export const listVoices = () => byName(BY_LANGUAGE);
