/**
 * The voices that Twilio names, by the language that each speaks: those of the type `SayVoice` of twilio 6.2.0 (npm),
 * `lib/twiml/VoiceResponse.d.ts`, without `man`, `woman` and `alice`. Google's names say their language; of Polly's, AWS's list of
 * voices says it (Amazon Polly Developer Guide, "Available voices", read on 2026-11-23). A voice of two languages is
 * listed under the one that it speaks unless told.
 */

/** By language, with the kinds of each: standard, neural, generative. */
const POLLY: Readonly<Record<string, string>> = {
  ar: 'Hala:N Zayd:N Zeina:S',
  ca: 'Arlet:N',
  cy: 'Gwyneth:S',
  da: 'Mads:S Naja:S Sofie:N',
  de: 'Daniel:NG Hannah:N Hans:S Marlene:S Vicki:SNG',
  en:
    'Aditi:S Amy:SNG Aria:N Arthur:N Ayanda:NG Brian:SN Danielle:NG Emma:SN Geraint:S Gregory:N Ivy:SN ' +
    'Joanna:SNG Joey:SN Justin:SN Kajal:NG Kendra:SN Kevin:SN Kimberly:SN Matthew:SNG Niamh:N Nicole:S ' +
    'Olivia:NG Raveena:S Russell:S Ruth:NG Salli:SN Stephen:NG',
  es:
    'Andres:NG Conchita:S Enrique:S Lucia:SNG Lupe:SNG Mia:SN Miguel:S Mía:G Pedro:NG Penelope:S ' +
    'Sergio:NG',
  fi: 'Suvi:N',
  fr: 'Celine:S Chantal:S Gabrielle:N Isabelle:N Lea:SNG Liam:N Mathieu:S Remi:N Rémi:G',
  is: 'Dora:S Karl:S',
  it: 'Adriano:N Bianca:SNG Carla:S Giorgio:S',
  ja: 'Kazuha:N Mizuki:S Takumi:SN Tomoko:N',
  ko: 'Seoyeon:SN',
  nb: 'Ida:N Liv:S',
  nl: 'Laura:N Lisa:N Lotte:S Ruben:S',
  pl: 'Ewa:S Jacek:S Jan:S Maja:S Ola:N',
  pt: 'Camila:SN Cristiano:S Ines:SN Ricardo:S Thiago:N Vitoria:SN',
  ro: 'Carmen:S',
  ru: 'Maxim:S Tatyana:S',
  sv: 'Astrid:S Elin:N',
  tr: 'Burcu:N Filiz:S',
  yue: 'Hiujin:N',
  zh: 'Zhiyu:SN',
};

/** Of each language the kinds, with the letters of their voices. Those of Chirp have names, which are the same everywhere. */
const GOOGLE = [
  'af-ZA SA',
  'am-ET SAB WAB',
  'ar-XA C SABCD WABCD',
  'bg-BG SAB',
  'bn-IN C SABCD WABCD',
  'ca-ES SAB',
  'cmn-CN C SABCD WABCD',
  'cmn-TW SABC WABC',
  'cs-CZ SAB WAB',
  'da-DK NDF SACDEFG WACDEFG',
  'de-DE C NABCDFGH SABCDEFGH WABCDEFGH',
  'el-GR SAB WAB',
  'en-AU C NABCD SABCD WABCD',
  'en-GB C NABCDFNO SABCDFNO WABCDFNO',
  'en-IN C NABCD SABCDEF WABCDEF',
  'en-US C NACDEFGHIJ SABCDEFGHIJ WABCDEFGHIJ',
  'es-ES C NABCDEFGH SABCDEFGH WBCDEFGH',
  'es-US C NABC SABC WABC',
  'eu-ES SAB',
  'fi-FI SAB WAB',
  'fil-ph NAD',
  'fil-PH SABCD WABCD',
  'fr-CA C NABCD SABCD WABCD',
  'fr-FR C NABCDEFG SABCDEFG WABCDEFG',
  'gl-ES SAB',
  'gu-IN C SABCD WABCD',
  'he-IL SABCD WABCD',
  'hi-IN C NABCD SABCDEF WABCDEF',
  'hu-HU SAB WA',
  'id-ID C SABCD WABCD',
  'is-IS SAB',
  'it-IT C NACF SABCDEF WABCDEF',
  'ja-JP C NBCD SABCD WABCD',
  'kn-IN C SABCD WABCD',
  'ko-KR C NABC SABCD WABCD',
  'lt-LT SAB',
  'lv-LV SAB',
  'ml-IN C SABCD WABCD',
  'mr-IN C SABC WABC',
  'ms-MY SABCD WABCD',
  'nb-NO SABCDEFG WABCDEFG',
  'nl-BE SABCD WABCD',
  'nl-NL C SABCDEFG WABCDEFG',
  'pa-IN SABCD WABCD',
  'pl-PL C SABCDEFG WABCDEFG',
  'pt-BR C NABC SABCDE WABCDE',
  'pt-PT SABCDEF WABCDEF',
  'ro-RO SAB WAB',
  'ru-RU C SABCDE WABCDE',
  'sk-SK SAB WAB',
  'sr-RS SA',
  'sv-SE SABCDEFG WABCDEFG',
  'ta-IN C SABCD WABCD',
  'te-IN C SABCD',
  'th-TH C NC SA',
  'tr-TR C SABCDE WABCDE',
  'uk-UA SA WA',
  'vi-VN C NAD SABCD WABCD',
  'yue-HK SABCD',
];

const KINDS: Readonly<Record<string, string>> = { S: '', N: '-Neural', G: '-Generative' };
const GOOGLE_KINDS: Readonly<Record<string, string>> = { N: 'Neural2', S: 'Standard', W: 'Wavenet' };
const CHIRP = ['Aoede', 'Charon', 'Fenrir', 'Kore', 'Leda', 'Orus', 'Puck', 'Zephyr'];
/** Tags that Google writes differently. */
const PRIMARY: Readonly<Record<string, string>> = { cmn: 'zh' };

/** From each name to the primary subtag of its language. */
export function listVoices(): ReadonlyMap<string, string> {
  const voices = new Map<string, string>();
  for (const [language, list] of Object.entries(POLLY)) {
    for (const [name = '', kinds = ''] of list.split(' ').map((entry) => entry.split(':'))) {
      for (const kind of kinds) voices.set(`Polly.${name}${KINDS[kind]}`, language);
    }
  }
  for (const [tag = '', ...kinds] of GOOGLE.map((entry) => entry.split(' '))) {
    const [subtag = ''] = tag.split('-', 1);
    const language = PRIMARY[subtag] ?? subtag;
    for (const [kind = '', ...letters] of kinds) {
      const own = kind === 'C' ? CHIRP : letters;
      const family = kind === 'C' ? 'Chirp3-HD' : GOOGLE_KINDS[kind];
      for (const letter of own) voices.set(`Google.${tag}-${family}-${letter}`, language);
    }
  }
  return voices;
}
