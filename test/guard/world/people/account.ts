import { drawSubscriber, type Land } from '../lands/land.ts';
import type { Random } from '../random.ts';

/** A customer of the installation: an application with people who sign in to it. */
export interface Account {
  readonly name: string;
  readonly keys: readonly string[];
  /** Whether it passes its people's addresses on. */
  readonly passesAddresses: boolean;
  /** The share of people who ask for another code before the first has had time to arrive. */
  readonly impatient: number;
  /** The share of first tries and of repeats that ask for a call. */
  readonly callsFirst: number;
  readonly calls: number;
  /** The share of people who confirmed earlier, from the same number. */
  readonly returning: number;
  /** The share of people who mistype the code once. */
  readonly mistyped: number;
  readonly passesReceipts: boolean;
}

const KEYS = ['web', 'app', 'ios', 'android', 'backend', 'checkout'];

export function drawAccount(name: string, random: Random): Account {
  return {
    name,
    keys: random.sample(KEYS, random.whole(1, 4)),
    passesAddresses: random.chance(0.6),
    impatient: random.between(0.1, 0.3),
    callsFirst: random.chance(0.15) ? random.between(0.02, 0.3) : 0,
    calls: random.chance(0.4) ? random.between(0.05, 0.3) : 0,
    returning: random.between(0.1, 0.7),
    mistyped: random.between(0.01, 0.08),
    passesReceipts: random.chance(0.8),
  };
}

/** People of one account in one country, those who came before among them. */
export interface Crowd {
  readonly account: Account;
  readonly land: Land;
  readonly conversion: number;
  readonly returning: number;
  /** They confirmed before. */
  readonly known: Known[];
}

interface Known {
  readonly number: string;
  readonly ip: string;
  /** Nobody signs in again at once. */
  awayUntil: number;
}

export function gather(account: Account, land: Land): Crowd {
  return { account, land, conversion: land.conversion, returning: account.returning, known: [] };
}

export interface Person {
  readonly crowd: Crowd;
  readonly number: string;
  readonly key: string;
  readonly ip: string;
  readonly isKnown: boolean;
  /** Whether they confirm if the code reaches them. */
  readonly converts: boolean;
}

const MAX_KNOWN = 3_000;
const HOUR = 3_600_000;

export function drawPerson(crowd: Crowd, at: number, random: Random): Person {
  const { account, conversion, known } = crowd;
  const key = random.pickEarly(account.keys);
  const again = random.chance(crowd.returning) && known.length > 0 ? random.pick(known) : undefined;
  if (again === undefined || again.awayUntil > at) {
    return { ...drawNewcomer(crowd, random), key, isKnown: false, converts: random.chance(conversion) };
  }
  again.awayUntil = at + random.scale(HOUR, 48 * HOUR);
  // Who was reached before is reached again, more often than not.
  const converts = random.chance((1 + conversion) / 2);
  return { crowd, number: again.number, ip: again.ip, key, isKnown: true, converts };
}

function drawNewcomer(crowd: Crowd, random: Random) {
  const { land } = crowd;
  return { crowd, number: drawSubscriber(land, random), ip: land.addresses.draw(random) };
}

export function remember(
  { crowd: { known }, number, ip, isKnown }: Person,
  at: number,
  random: Random,
): void {
  if (isKnown) return;
  const entry = { number, ip, awayUntil: at + random.scale(HOUR, 48 * HOUR) };
  if (known.length < MAX_KNOWN) known.push(entry);
  else known[random.whole(0, MAX_KNOWN - 1)] = entry;
}
