/** The languages that carriers document, copied from their own libraries: each table of voices is compared with them. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** `SayLanguage` of twilio 6.2.0. */
export const TWILIO_LANGUAGES = words(
  'af-ZA am-ET ar-AE ar-XA arb bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-AT de-DE el-GR en-AU en-CA en-GB ' +
    'en-GB-WLS en-IE en-IN en-NZ en-US en-ZA es-ES es-MX es-US fi-FI fil-PH fr-CA fr-FR fr-BE gu-IN he-IL hi-IN hu-HU ' +
    'id-ID is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN mr-IN ms-MY nb-NO nl-BE nl-NL pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU ' +
    'sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN yue-HK zh-CN zh-HK zh-TW',
);

/** The languages for which `SayVoice` of twilio 6.2.0 has Google's standard voice A. */
export const TWILIO_GOOGLE_STANDARD_A = words(
  'af-ZA am-ET ar-XA bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ da-DK de-DE el-GR en-AU en-GB en-IN en-US es-ES es-US eu-ES ' +
    'fi-FI fil-PH fr-CA fr-FR gl-ES gu-IN he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP kn-IN ko-KR lt-LT lv-LV ml-IN mr-IN ' +
    'ms-MY nb-NO nl-BE nl-NL pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN ' +
    'yue-HK',
);

/** `TTSLanguages` of @vonage/voice 1.21.0. */
export const VONAGE_LANGUAGES = words(
  'af-ZA ar bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-AT de-DE de-ET el-GR en-AU en-GB en-GB-SCT en-GB-WLS en-IE ' +
    'en-IN en-NZ en-US en-ZA es-CO es-ES es-MX es-US eu-ES fi-FI fil-PH fr-CA fr-FR gl-ES gu-IN he-IL hi-IN hu-HU id-ID ' +
    'is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN ms-MY nb-NO nl-BE nl-NL no-NO pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK ' +
    'sr-RS sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN yue-CN',
);

/** `language` of the command `speak` of telnyx 7.24.0. */
export const TELNYX_LANGUAGES = words(
  'arb cmn-CN cy-GB da-DK de-DE en-AU en-GB en-GB-WLS en-IN en-US es-ES es-MX es-US fr-CA fr-FR hi-IN is-IS it-IT ja-JP ' +
    'ko-KR nb-NO nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sv-SE tr-TR',
);

/** `TtsVoice` of @sinch/voice 1.4.0, without genders and names. */
export const SINCH_LOCALES = words(
  'arb az-AZ ca-ES zh-HK cmn-CN hr-HR cs-CZ da-DK nl-NL en-AU en-GB en-IN en-NZ en-ZA en-US en-GB-WLS et-EE fil-PH fi-FI ' +
    'fr-FR fr-CA ka-GE de-DE de-AT el-GR hi-IN hu-HU is-IS id-ID it-IT ja-JP ko-KR mt-MT ms-MY nb-NO lv-LV lt-LT pl-PL ' +
    'pt-BR pt-PT ro-RO ru-RU es-ES es-MX es-US sk-SK sl-SI sv-SE th-TH tr-TR uk-UA uz-UZ vi-VN cy-GB',
);

/** `CallsLanguage` of infobip-api-java-client, its `false` being the `no` of YAML. */
export const INFOBIP_LANGUAGES = words(
  'ar ar-ma bg bn ca cs da de de-at de-ch el en en-au en-ca en-gb en-gb-wls en-ie en-in es es-ar es-mx fi fil-ph fr fr-ca ' +
    'fr-ch gu he hi hr hu id is it ja kk-kz kn ko ml mr-in ms nl no pl pt-br pt-pt ro ru sk sl sv sw-ke sw-tz ta te th tr ' +
    'uk ur-pk uz-uz vi wls zh-cn zh-tw',
);

/** `VoiceId` of @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0, by language according to Polly's list of voices. */
const POLLY: Readonly<Record<string, string>> = {
  ar: 'ZEINA',
  cy: 'GWYNETH',
  da: 'MADS NAJA',
  de: 'HANS MARLENE VICKI',
  en: 'AMY BRIAN EMMA GERAINT IVY JOANNA JOEY JUSTIN KENDRA KIMBERLY MATTHEW NICOLE RAVEENA RUSSELL SALLI',
  es: 'CONCHITA ENRIQUE LUCIA LUPE MIA MIGUEL PENELOPE',
  fr: 'CELINE CHANTAL LEA MATHIEU',
  is: 'DORA KARL',
  it: 'BIANCA CARLA GIORGIO',
  ja: 'MIZUKI TAKUMI',
  ko: 'SEOYEON',
  nb: 'LIV',
  nl: 'LOTTE RUBEN',
  pl: 'EWA JACEK JAN MAJA',
  pt: 'CAMILA CRISTIANO INES RICARDO VITORIA',
  ro: 'CARMEN',
  ru: 'MAXIM TATYANA',
  sv: 'ASTRID',
  tr: 'FILIZ',
  zh: 'ZHIYU',
};

export const AWS_VOICES: ReadonlyMap<string, string> = new Map(
  Object.entries(POLLY).flatMap(([language, names]) =>
    names.split(' ').map((name): [string, string] => [name, language]),
  ),
);

/** `TtsVoice` of @sinch/voice 1.4.0, in its order: each name stands after its locale. */
export const SINCH_VOICES: readonly string[] = (
  'arb arb/female Zeina az-AZ az-AZ/female az-AZ/male Banu Babek ca-ES ca-ES/female Arlet zh-HK ' +
  'zh-HK/female zh-HK/male HiuGaai HiuMaan WanLung cmn-CN cmn-CN/female Zhiyu hr-HR hr-HR/female hr-HR/male ' +
  'Gabrijela Srecko cs-CZ cs-CZ/female cs-CZ/male Vlasta Antonin da-DK da-DK/female da-DK/male Naja Mads ' +
  'nl-NL nl-NL/female nl-NL/male Lotte Ruben en-AU en-AU/female en-AU/male Nicole Olivia Russell en-GB ' +
  'en-GB/female en-GB/male Amy Emma Brian Arthur en-IN en-IN/female Aditi Raveena Kajal en-NZ en-NZ/female ' +
  'Aria en-ZA en-ZA/female Ayanda en-US en-US/female en-US/male Ivy Joanna Kendra Kimberly Salli Joey ' +
  'Justin Kevin Matthew en-GB-WLS en-GB-WLS/male Geraint et-EE et-EE/female et-EE/male Anu Kert fil-PH ' +
  'fil-PH/female fil-PH/male Angelo Blessica fi-FI fi-FI/female Suvi fr-FR fr-FR/female fr-FR/male Céline ' +
  'Celine Léa Mathieu fr-CA fr-CA/female fr-CA/male Chantal Gabrielle Liam ka-GE ka-GE/female ka-GE/male ' +
  'Eka Giorgi de-DE de-DE/female de-DE/male Marlene Vicki Hans Daniel de-AT de-AT/female Hannah el-GR ' +
  'el-GR/female el-GR/male Athina Nestoras hi-IN hi-IN/female Aditi Kajal hu-HU hu-HU/female hu-HU/male ' +
  'Noemi Tamas is-IS is-IS/female is-IS/male Dóra Dora Karl id-ID id-ID/female id-ID/male Ardi Gadis it-IT ' +
  'it-IT/female it-IT/male Carla Bianca Giorgio ja-JP ja-JP/female ja-JP/male Mizuki Takumi ko-KR ' +
  'ko-KR/female Seoyeon mt-MT mt-MT/female mt-MT/male Grace Joseph ms-MY ms-MY/female ms-MY/male Osman ' +
  'Yasmin nb-NO nb-NO/female Liv lv-LV lv-LV/female lv-LV/male Everita Nils lt-LT lt-LT/female lt-LT/male ' +
  'Ona Leonas pl-PL pl-PL/female pl-PL/male Ewa Maja Jacek Jan pt-BR pt-BR/female pt-BR/male Camila Vitória ' +
  'Vitoria Ricardo pt-PT pt-PT/female pt-PT/male Inês Ines Cristiano ro-RO ro-RO/female Carmen ru-RU ' +
  'ru-RU/female ru-RU/male Tatyana Maxim es-ES es-ES/female es-ES/male Conchita Lucia Enrique es-MX ' +
  'es-MX/female Mia es-US es-US/female es-US/male Lupe Penélope Penelope Miguel Pedro sk-SK sk-SK/female ' +
  'sk-SK/male Viktoria Lukas sl-SI sl-SI/female sl-SI/male Petra Rok sv-SE sv-SE/female Astrid th-TH ' +
  'th-TH/female th-TH/male Achara Niwat Premwadee tr-TR tr-TR/male Filiz uk-UA uk-UA/female uk-UA/male ' +
  'Polina Ostap uz-UZ uz-UZ/female uz-UZ/male Madina Sardor vi-VN vi-VN/female vi-VN/male HoaiMy NamMinh ' +
  'cy-GB cy-GB/female Gwyneth'
).split(' ');
