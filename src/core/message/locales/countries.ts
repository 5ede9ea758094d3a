/**
 * The language of each country that has telephone numbers: of its official languages the one that most read. English
 * where it is official and no other is shared by all (India, South Africa), or where we have no words in the other.
 */
const COUNTRIES: Readonly<Record<string, string>> = {
  en:
    'AC AG AI AS AU BB BM BS BT BW BZ CA CC CK CX DM ER FJ FK FM GB GD GG GH GI GM GU GY IE IM IN IO JE JM KE KI KN ' +
    'KY LC LK LR LS MH MP MS MT MU MV MW NA NF NG NR NU NZ PG PW RW SB SC SG SH SL SO SS SX SZ TA TC TK TO TT TV UG ' +
    'US VC VG VI VU WS ZA ZM ZW',
  am: 'ET',
  ar: 'AE BH DZ EG EH IQ JO KW LB LY MA MR OM PS QA SA SD SY TN YE',
  az: 'AZ',
  bg: 'BG',
  bn: 'BD',
  bs: 'BA',
  ca: 'AD',
  cs: 'CZ',
  da: 'DK FO GL',
  de: 'AT CH DE LI',
  el: 'CY GR',
  es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE',
  et: 'EE',
  fa: 'AF IR',
  fi: 'FI',
  fil: 'PH',
  fr: 'BF BI BJ BL CD CF CG CI CM DJ FR GA GF GN GP HT KM LU MC MF MG ML MQ NC NE PF PM RE SN TD TG WF YT',
  he: 'IL',
  hr: 'HR',
  hu: 'HU',
  hy: 'AM',
  id: 'ID',
  is: 'IS',
  it: 'IT SM VA',
  ja: 'JP',
  ka: 'GE',
  kk: 'KZ',
  km: 'KH',
  ko: 'KP KR',
  lo: 'LA',
  lt: 'LT',
  lv: 'LV',
  mk: 'MK',
  mn: 'MN',
  ms: 'BN MY',
  my: 'MM',
  nb: 'NO SJ',
  ne: 'NP',
  nl: 'AW BE BQ CW NL SR',
  pl: 'PL',
  pt: 'AO CV GW MZ PT ST TL',
  'pt-BR': 'BR',
  ro: 'MD RO',
  ru: 'BY KG RU TJ TM',
  sk: 'SK',
  sl: 'SI',
  sq: 'AL XK',
  'sr-Latn': 'ME RS',
  sv: 'AX SE',
  sw: 'TZ',
  th: 'TH',
  tr: 'TR',
  uk: 'UA',
  ur: 'PK',
  uz: 'UZ',
  vi: 'VN',
  'zh-Hans': 'CN',
  'zh-Hant': 'HK MO TW',
};

/** ISO 3166 alpha-2 to the tag of a built-in wording. */
export const COUNTRY_LOCALES: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([locale, countries]) =>
    countries.split(' ').map((country): [string, string] => [country, locale]),
  ),
);

/** Whether a country has telephone numbers: ISO 3166 alpha-2, or `ZZ` for destinations without a country. */
export const isKnownCountry = (country: string): boolean => country === 'ZZ' || COUNTRY_LOCALES.has(country);

/** Country codes that people often get wrong. */
const MISTAKEN: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR', SU: 'RU', YU: 'RS' };

/** What somebody most likely meant who wrote a code that is no country's; undefined if nobody knows. */
export const meantCountry = (code: string): string | undefined =>
  Object.hasOwn(MISTAKEN, code) ? MISTAKEN[code] : undefined;
