/** Numbers that were valid once: their country has changed how they begin, or has withdrawn them. */
import { createHash } from 'node:crypto';
import plans from 'libphonenumber-js/package.json' with { type: 'json' };
import { WITHDRAWN } from './withdrawn.ts';

/** What a number was, what it is, and the rule for people, inside a sentence. No rule holds anybody's number. */
type Change = readonly [before: RegExp, now: string, rule: string];

/** Only what the country itself changed, and by which one number of today follows from one of before. */
const CHANGES: readonly Change[] = [
  // ARCEP Bénin, 30 November 2024.
  [/^\+229(\d{8})$/, '+22901$1', 'since 2024, numbers of Benin are 01 and the eight digits of before'],
  // ARTCI, 31 January 2021. The second digit says whose a number was; operators that were gone by then are left out.
  ...(['01 [0-3]', '05 [4-6]', '07 [7-9]'] as const).map((operator): Change => {
    const [begin, second] = operator.split(' ');
    const before = new RegExp(`^\\+225((?!6[019])[04-9]${second}\\d{6})$`);
    const rule = `since 2021, mobile numbers of this operator of Côte d’Ivoire are ${begin} and the eight digits of before`;
    return [before, `+225${begin}$1`, rule];
  }),
  // IFT, 3 August 2019.
  [/^\+521(\d{10})$/, '+52$1', 'since 2019, numbers of Mexico have no 1 after +52'],
  // Anatel, from 2012 to 2016. Landlines begin with 2 to 5, and have kept their eight digits.
  [
    /^\+55(\d{2})([6-9]\d{7})$/,
    '+55$19$2',
    'since 2016, mobile numbers of Brazil have a 9 before the eight digits of before',
  ],
  // MIC of Viet Nam, 15 September 2018.
  ...(
    '120 70,121 79,122 77,123 83,124 84,125 85,126 76,127 81,128 78,129 82,' +
    '162 32,163 33,164 34,165 35,166 36,167 37,168 38,169 39,186 56,188 58,199 59'
  )
    .split(',')
    .map((pair): Change => {
      const [old, today] = pair.split(' ');
      const rule = `since 2018, mobile numbers of Viet Nam that began with ${old} begin with ${today}`;
      return [new RegExp(`^\\+84${old}(\\d{7})$`), `+84${today}$1`, rule];
    }),
  // CRC of Colombia, 1 September 2021.
  [
    /^\+57([124-8]\d{7})$/,
    '+5760$1',
    'since 2021, landlines of Colombia have 60 before the eight digits of before',
  ],
  // ITU, +383 was assigned to Kosovo in December 2016.
  [/^\+386(49\d{6})$/, '+383$1', 'numbers of Kosovo begin with +383, and not with +386'],
  // ARCEP of France: at home these are dialled like all others, from abroad by the codes of their own.
  ...(
    [
      ['69[01]', '+590', 'Guadeloupe, Saint Martin and Saint Barthélemy'],
      ['639|69[23]', '+262', 'Réunion and Mayotte'],
      ['694', '+594', 'French Guiana'],
      ['69[67]', '+596', 'Martinique'],
    ] as const
  ).map(([begin, code, where]): Change => {
    const rule = `mobile numbers of ${where} begin with ${code}, and not with +33`;
    return [new RegExp(`^\\+33((?:${begin})\\d{6})$`), `${code}$1`, rule];
  }),
];

/** Another one once the plans, or these changes of them, are others: a number may then be spelled in another way. */
export const PLANS_ID = [
  plans.version,
  createHash('sha256')
    .update(CHANGES.map(([before, now]) => `${before.source} ${now}`).join('\n'))
    .digest('base64url')
    .slice(0, 8),
].join(' ');

/** The number of today, if this one is of before; whether it is valid is another question. */
export function renumber(number: string): { readonly number: string; readonly rule: string } | undefined {
  for (const [before, now, rule] of CHANGES)
    if (before.test(number)) return { number: number.replace(before, now), rule };
  return undefined;
}

const RANGES = WITHDRAWN.trim()
  .split('\n')
  .map((line) => {
    const [callingCode = '', digits, ...prefixes] = line.split(' ');
    return {
      length: `+${callingCode}`.length + Number(digits),
      prefixes: prefixes.map((prefix) => `+${callingCode}${prefix}`),
    };
  });

/** The beginning that it shares with mobile numbers of before. */
export function findWithdrawn(number: string): string | undefined {
  return RANGES.filter(({ length }) => length === number.length)
    .flatMap(({ prefixes }) => prefixes)
    .find((prefix) => number.startsWith(prefix));
}
