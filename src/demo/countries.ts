/**
 * Where the codes of the demo go. No number is anybody's: most are set aside by their country's regulator for examples and films, the
 * others lie where their country's plan gives numbers to nobody.
 */
import type { Chance } from './chance.ts';

/** The first and the last number. */
type NumberRange = readonly [first: string, last: string];

export interface DemoCountry {
  readonly code: string;
  /** Of all codes. */
  readonly share: number;
  /** Hours ahead of UTC. */
  readonly offset: number;
  /** How many of the codes that arrive are typed. */
  readonly typed: number;
  readonly ranges: readonly NumberRange[];
}

/** NANPA: 555-0100 to 555-0199 are for fiction, in every area. */
const fictional = (area: string): NumberRange => [`+1${area}5550100`, `+1${area}5550199`];

/** ACMA, numbers for use in creative works: single ones. */
const AUSTRALIAN = [
  ...['570006', '570110', '570156', '570157', '570158', '570159', '570313', '570737', '571266', '571491'],
  ...['571804', '572549', '572665', '572983', '573087', '573770', '574118', '574632', '575254', '575789'],
].map((number): NumberRange => [`+61491${number}`, `+61491${number}`]);

export const DEMO_COUNTRIES: readonly DemoCountry[] = [
  // Ofcom, numbers for drama: 900000 to 900999. The last ten are on the do-not-send list.
  { code: 'GB', share: 0.22, offset: 0, typed: 0.94, ranges: [['+447700900000', '+447700900989']] },
  { code: 'US', share: 0.2, offset: -5, typed: 0.93, ranges: ['212', '312', '415', '617'].map(fictional) },
  // Bundesnetzagentur, numbers for media productions.
  {
    ...{ code: 'DE', share: 0.14, offset: 1, typed: 0.95 },
    ranges: [
      ['+491713920000', '+491713920099'],
      ['+4917604069000', '+4917604069099'],
    ],
  },
  // Arcep, numbers for audiovisual works.
  { code: 'FR', share: 0.11, offset: 1, typed: 0.93, ranges: [['+33639980000', '+33639989999']] },
  { code: 'CA', share: 0.07, offset: -5, typed: 0.93, ranges: ['416', '514', '604'].map(fictional) },
  // Of what begins with 7, mobiles of Spain have 71 to 74 and 78.
  { code: 'ES', share: 0.07, offset: 1, typed: 0.92, ranges: [['+34750000000', '+34759999999']] },
  // PTS, numbers for books and films.
  { code: 'SE', share: 0.06, offset: 1, typed: 0.95, ranges: [['+46701740605', '+46701740699']] },
  // No area of Brazil is called 20.
  { code: 'BR', share: 0.06, offset: -3, typed: 0.68, ranges: [['+5520960000000', '+5520969999999']] },
  // ComReg, numbers for drama.
  { code: 'IE', share: 0.04, offset: 0, typed: 0.94, ranges: [['+353209100000', '+353209199999']] },
  { code: 'AU', share: 0.025, offset: 10, typed: 0.92, ranges: AUSTRALIAN },
  // No mobile of Indonesia begins with 84.
  { code: 'ID', share: 0.005, offset: 7, typed: 0.8, ranges: [['+628400000000', '+628406999999']] },
];

/** On the do-not-send list: the week sends nothing to them. */
export const UNWANTED = ['+447700900991', '+447700900993', '+447700900996', '+447700900999'] as const;

export function drawNumber(ranges: DemoCountry['ranges'], chance: Chance): string {
  const [first, last] = chance.pick(ranges);
  return `+${Number(first) + chance.below(Number(last) - Number(first) + 1)}`;
}
