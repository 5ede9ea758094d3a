/** The places of one request: ranges at four widths, its country here and everywhere, key, account, network, device. */
import { mix, type Name, nameOf } from './memory/hash.ts';
import { KINDS, type PlaceKind } from './parameters.ts';

/** From narrow to wide; the others behind. The index of a kind is its place in lists of slots. */
export const PLACE_KINDS: readonly PlaceKind[] = [
  'range3',
  'range4',
  'range5',
  'range6',
  'account-country',
  'country',
  'key',
  'account',
  'unproven',
  'network',
  'device',
];
export const RANGE3 = 0;
export const RANGE4 = 1;
export const RANGE5 = 2;
export const RANGE6 = 3;
export const RANGES = 4;
export const ACCOUNT_COUNTRY = 4;
export const COUNTRY = 5;
export const KEY = 6;
export const ACCOUNT = 7;
export const UNPROVEN = 8;
export const NETWORK = 9;
export const DEVICE = 10;

/** A range names this many digits at least; shorter ones would be countries. */
const SHORTEST_RANGE = 4;

export interface Asker {
  readonly account: string;
  readonly key: string;
  /** E.164, or another canonical address. */
  readonly destination: string;
  readonly country: string;
  /** The network of the person's device, in whatever form the caller tells networks apart. */
  readonly network?: string | undefined;
  /** Their device, in the same way. */
  readonly device?: string | undefined;
}

/** The digits of a destination's range, such as `9989939` for the last five free; undefined if it has none. */
export function rangeOf(destination: string, free: number): string | undefined {
  const [, digits = ''] = /^(?:tel:)?\+(\d+)/.exec(destination) ?? [];
  return digits.length - free < SHORTEST_RANGE ? undefined : digits.slice(0, digits.length - free);
}

/** For people: the kind of a place, and where it is. Never a full number, never an address. */
export function labelOf(
  kind: number,
  { destination, country }: Pick<Asker, 'destination' | 'country'>,
): string {
  const name = PLACE_KINDS[kind];
  const label = name === undefined ? '' : KINDS[name].label;
  if (kind < RANGES) return `${label} +${rangeOf(destination, kind + 3) ?? ''}`;
  return kind === ACCOUNT_COUNTRY || kind === COUNTRY ? `${label} ${country}` : label;
}

/** By kind; undefined where a request has none. */
export type Names = readonly (Name | undefined)[];

/** Names of the places of a request, by kind; undefined where it has none. */
export class RequestPlaces {
  readonly names: (Name | undefined)[] = PLACE_KINDS.map(() => undefined);
  readonly #parts = new Map<string, Name>();
  #asker: Asker | undefined;

  resolve(asker: Asker): Names {
    const { names } = this;
    // A request that is judged and then sent asks twice.
    if (asker === this.#asker) return names;
    this.#asker = asker;
    const { account, key, destination, country, network, device } = asker;
    this.#nameRanges(destination);
    const accountName = this.#named(ACCOUNT, account);
    const countryName = this.#named(COUNTRY, country);
    names[ACCOUNT_COUNTRY] = join(accountName, countryName);
    names[COUNTRY] = countryName;
    names[KEY] = join(accountName, this.#named(KEY, key));
    names[ACCOUNT] = accountName;
    names[UNPROVEN] = join(accountName, this.#named(UNPROVEN, ''));
    names[NETWORK] = network === undefined ? undefined : nameOf(NETWORK, network);
    names[DEVICE] = device === undefined ? undefined : nameOf(DEVICE, device);
    return names;
  }

  /** All widths in one pass over the digits. */
  #nameRanges(destination: string): void {
    const { names } = this;
    const digits = destination.startsWith('+') ? destination.slice(1) : (rangeOf(destination, 0) ?? '');
    let a = 0x811c9dc5;
    let b = 0x1b873593;
    names.fill(undefined, 0, RANGES);
    const { length } = digits;
    for (let index = 0; index < length - 3; index++) {
      const digit = digits.charCodeAt(index);
      a = Math.imul(a ^ digit, 0x01000193);
      b = Math.imul((b << 5) ^ (b >>> 27) ^ digit, 0x5bd1e995);
      const free = length - index - 1;
      if (free <= 6 && index + 1 >= SHORTEST_RANGE) {
        names[free - 3] = { a: mix(a ^ free), b: mix(b ^ Math.imul(a, 31)) || 1 };
      }
    }
  }

  /** Accounts, keys and countries are few and asked for again and again. */
  #named(salt: number, text: string): Name {
    const known = this.#parts.get(`${salt}${text}`);
    if (known !== undefined) return known;
    if (this.#parts.size >= 10_000) this.#parts.clear();
    const name = nameOf(salt, text);
    this.#parts.set(`${salt}${text}`, name);
    return name;
  }
}

function join(one: Name, other: Name): Name {
  return { a: mix(one.a ^ Math.imul(other.a, 31)), b: mix(one.b ^ Math.imul(other.b, 0x9e3779b1)) || 1 };
}
