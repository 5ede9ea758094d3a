/** The two that are compared, and what of them is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, median, medianRow, type Row } from '../figures.ts';
import type { Phones } from '../peers/phones.ts';
import type { Checkout } from '../servers/checkout.ts';
import { configuration, type Server, startService } from '../servers/server.ts';
import type { Workplace } from '../servers/workplace.ts';

/** This checkout, and the other revision's. */
export type Sides = readonly [Checkout, Checkout];
/** What was measured of each, pair by pair. */
export type Both<T> = readonly [T[], T[]];

export interface Pairs {
  readonly pairs: number;
  readonly seconds: number;
}

/** As many as do not let the generator become the limit. */
export const CONNECTIONS = 128;
export const WARM_UP_SECONDS = 4;
/** So that the wait for a slow carrier is none for its connections. */
const CARRIER_CONNECTIONS = 2_000;

/** The order changes, so that what grows slower in a minute is not always the same one. */
export const inTurn = (pair: number): readonly (0 | 1)[] => (pair % 2 === 0 ? [0, 1] : [1, 0]);

/** With a guard of this mode, where the revision has one. */
export function openSide(
  place: Workplace,
  phones: Phones,
  folder: string,
  mode: 'enforce' | 'observe',
  checkout: Checkout,
): Promise<Server> {
  const hasGuard = existsSync(join(checkout.root, 'src/guard'));
  // Where the options of a carrier have both, `concurrency` alone opens no more connections.
  const carrierOptions = readFileSync(join(checkout.root, 'src/carriers/http/options.ts'), 'utf8');
  const most = carrierOptions.includes('connections') ? 'connections' : 'concurrency';
  const { carriers } = configuration(phones);
  const config = {
    guard: hasGuard ? { mode } : undefined,
    carriers: { ...carriers, gateway: { ...carriers.gateway, [most]: CARRIER_CONNECTIONS } },
  };
  return startService(place, phones, place.folder(folder), config, {}, checkout);
}

/** The median of the pairs' ratios, with their range and their mean, and both medians. */
export function compare<T>(
  figure: string,
  [here, there]: Both<T>,
  pick: (round: T) => number,
  digits = 0,
): Row[] {
  const values = (rounds: readonly T[]) => format(median(rounds.map(pick)), digits);
  const ratios = here.map((round, pair) => pick(round) / pick(there[pair] ?? round));
  const { mean, error } = meanOf(ratios);
  return [
    medianRow(figure, ratios, '', 2),
    {
      figure: '',
      value: `${values(here)} / ${values(there)}`,
      note: `here / there; mean ${format(mean, 3)} ± ${format(error, 3)}`,
    },
  ];
}

/** The mean, and its standard error. */
function meanOf(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
