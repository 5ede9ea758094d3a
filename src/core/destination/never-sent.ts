/**
 * Numbers that are never sent to: whoever calls or writes to them pays far more than for a telephone, and often somebody shares
 * in it. Nobody needs a code there, and pumping attacks do.
 *
 * Most of what such attacks use is no entry here: numbers that no operator was given, which the numbering plan refuses.
 */
import type { PhoneNumberType } from 'libphonenumber-js/core/es6';
import type { FieldErrorCode } from '../errors/field-error.ts';
import { compilePrefixes } from './prefixes.ts';

/** Types of number, as each country's own plan has them (libphonenumber's metadata). */
const TYPES: ReadonlyMap<PhoneNumberType, FieldErrorCode> = new Map([
  ['PREMIUM_RATE', 'premium_rate'],
  ['SHARED_COST', 'shared_cost'],
  ['PERSONAL_NUMBER', 'personal_number'],
]);

/** Ranges whose type says nothing of this. */
const RANGES: readonly (readonly [prefix: string, code: FieldErrorCode])[] = [
  // ITU-T E.164, list of assigned country codes: International Shared Cost Service.
  ['+808', 'shared_cost'],
  // The same list: Inmarsat.
  ['+870', 'satellite'],
  // The same list: Universal Personal Telecommunication.
  ['+878', 'personal_number'],
  // The same list: Global Mobile Satellite System (Iridium, Globalstar, and codes that are spare).
  ['+881', 'satellite'],
  // The same list, shared code 882 for international networks: of machines, ships and aircraft, at any price.
  ['+882', 'never_sent'],
  // Shared code 882: EMSAT.
  ['+88213', 'satellite'],
  // Shared code 882: Thuraya.
  ['+88216', 'satellite'],
  // Shared code 883 for international networks, of machines and Internet telephony.
  ['+883', 'never_sent'],
  // ITU-T E.164: was for disaster relief (OCHA), withdrawn.
  ['+888', 'never_sent'],
  // ITU-T E.164: International Premium Rate Service.
  ['+979', 'premium_rate'],

  // The Netherlands (Nummerplan telefoon- en ISDN-diensten): 084 and 087, personal assistance services.
  ['+3184', 'personal_number'],
  ['+3187', 'personal_number'],
  // Australia (Telecommunications Numbering Plan): 0147, satellite telephone services.
  ['+61147', 'satellite'],
  // Indonesia (national plan, ITU Operational Bulletin): 868, satellite mobile.
  ['+62868', 'satellite'],
  // Australian External Territories (ITU Operational Bulletin): 1, the stations in the Antarctic, by satellite.
  ['+6721', 'satellite'],
  // India (DoT, 28 May 2024): 1600 and 1601, from which authorities and banks call. The plan has them as mobile, and nobody receives
  // there. What else begins with 160 are landlines.
  ['+911600', 'never_sent'],
  ['+911601', 'never_sent'],
  // Russia (national plan of numbering): 954, Globalstar.
  ['+7954', 'satellite'],
  // China (Telecommunications Numbering Plan): 1349 and 1740, satellite mobile.
  ['+861349', 'satellite'],
  ['+861740', 'satellite'],
];

/** What an operator changes. Prefixes of numbers with `+`; the longest that fits decides. */
export interface NeverSendOptions {
  readonly allow: readonly string[];
  readonly add: readonly string[];
}

/** Why a number is not sent to. */
interface Bar {
  readonly code: FieldErrorCode;
  /** The range that it is in; undefined if it is for its type. */
  readonly range?: string;
}

/** Whether anything bars a number in E.164 of a type. */
export type Screen = (number: string, type: PhoneNumberType) => Bar | undefined;

/** For looking up what was sent to, or may have been: nothing is barred. */
export const ANY_NUMBER: Screen = () => undefined;

export interface Screens {
  readonly live: Screen;
  /**
   * Nothing leaves the machine, so only the type counts, as a program that is being written should learn of it. Personal numbers
   * pass: the magic destinations are such.
   */
  readonly test: Screen;
}

export function createScreens({ allow, add }: NeverSendOptions): Screens {
  const find = compilePrefixes<Bar | 'allowed'>([
    ...RANGES.map(([range, code]) => [range, { code, range }] as const),
    ...add.map((range) => [range, { code: 'never_sent', range }] as const),
    ...allow.map((range) => [range, 'allowed'] as const),
  ]);
  const judge = (found: Bar | 'allowed' | undefined, type: PhoneNumberType): Bar | undefined => {
    if (found !== undefined) return found === 'allowed' ? undefined : found;
    const code = TYPES.get(type);
    return code && { code };
  };
  return {
    live: (number, type) => judge(find(number), type),
    test(number, type) {
      const isAllowed = find(number) === 'allowed' || type === 'PERSONAL_NUMBER';
      return isAllowed ? undefined : judge(undefined, type);
    },
  };
}

/** As they are unless an operator changes them. */
export const USUAL_SCREENS: Screens = createScreens({ allow: [], add: [] });
