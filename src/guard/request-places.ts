/** The places of one request: ranges at four widths, its country here and everywhere, key, account, network, device. */
import { mix, type NameHash, nameOf } from './memory/hash.ts';
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

export interface Requester {
  readonly account: string;
  readonly key: string;
  /** As an opaque hash. */
  readonly number: string;
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
  { destination, country }: Pick<Requester, 'destination' | 'country'>,
): string {
  const name = PLACE_KINDS[kind];
  const label = name === undefined ? '' : KINDS[name].label;
  if (kind < RANGES) return `${label} +${rangeOf(destination, kind + 3) ?? ''}`;
  return kind === ACCOUNT_COUNTRY || kind === COUNTRY ? `${label} ${country}` : label;
}

/** What is remembered by the number of a request has names of its own. */
const NUMBER_SALT = 99;
/** Names of accounts, keys and countries that are kept. */
const MOST_NAMES = 10_000;

/** The names that requests of an account share. */
interface AccountNames {
  readonly own: NameHash;
  readonly unproven: NameHash;
  readonly keys: Map<string, NameHash>;
  readonly countries: Map<string, NameHash>;
}

/** Names of places, by kind. */
export interface PlaceNames {
  readonly hashes: Uint32Array;
  /** 0 where there is no such place. */
  readonly tags: Uint32Array;
}

/** Names of the places of a request, by kind, and that of its number. */
export class RequestPlaces implements PlaceNames {
  readonly hashes = new Uint32Array(PLACE_KINDS.length);
  readonly tags = new Uint32Array(PLACE_KINDS.length);
  numberHash = 0;
  numberTag = 0;
  readonly #accounts = new Map<string, AccountNames>();
  readonly #countries = new Map<string, NameHash>();
  #kept = 0;
  #asker: Requester | undefined;

  /** The tag of its account. */
  get account(): number {
    return this.tags[ACCOUNT] ?? 0;
  }

  resolve(asker: Requester): this {
    // A request that is judged and then sent asks twice.
    if (asker === this.#asker) return this;
    this.#asker = asker;
    const { account, key, number, destination, country, network, device } = asker;
    this.#nameRanges(destination);
    const names = this.#accountNames(account);
    const countryName = this.#countries.get(country) ?? this.#keepCountry(country);
    this.#put(ACCOUNT_COUNTRY, names.countries.get(country) ?? this.#keepCountryOf(names, country));
    this.#put(COUNTRY, countryName);
    this.#put(KEY, names.keys.get(key) ?? this.#keepKey(names, key));
    this.#put(ACCOUNT, names.own);
    this.#put(UNPROVEN, names.unproven);
    this.#put(NETWORK, network === undefined ? undefined : nameOf(NETWORK, network));
    this.#put(DEVICE, device === undefined ? undefined : nameOf(DEVICE, device));
    const { a, b } = nameOf(NUMBER_SALT, number);
    this.numberHash = a;
    this.numberTag = b;
    return this;
  }

  #put(kind: number, name: NameHash | undefined): void {
    this.hashes[kind] = name === undefined ? 0 : name.a;
    this.tags[kind] = name === undefined ? 0 : name.b;
  }

  /** All widths in one pass over the digits. */
  #nameRanges(destination: string): void {
    const number = destination.startsWith('+') ? destination : `+${rangeOf(destination, 0) ?? ''}`;
    let a = 0x811c9dc5;
    let b = 0x1b873593;
    this.tags.fill(0, 0, RANGES);
    const length = number.length - 1;
    for (let index = 0; index < length - 3; index++) {
      const digit = number.charCodeAt(index + 1);
      a = Math.imul(a ^ digit, 0x01000193);
      b = Math.imul((b << 5) ^ (b >>> 27) ^ digit, 0x5bd1e995);
      const free = length - index - 1;
      if (free <= 6 && index + 1 >= SHORTEST_RANGE) {
        this.hashes[free - 3] = mix(a ^ free);
        this.tags[free - 3] = mix(b ^ Math.imul(a, 31)) || 1;
      }
    }
  }

  /** Accounts, keys and countries are few and asked for again and again. */
  #accountNames(account: string): AccountNames {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    this.#makeRoom();
    const own = nameOf(ACCOUNT, account);
    const unproven = join(own, nameOf(UNPROVEN, ''));
    const names = { own, unproven, keys: new Map(), countries: new Map() };
    this.#accounts.set(account, names);
    return names;
  }

  #keepCountry(country: string): NameHash {
    this.#makeRoom();
    const name = nameOf(COUNTRY, country);
    this.#countries.set(country, name);
    return name;
  }

  #keepCountryOf({ own, countries }: AccountNames, country: string): NameHash {
    this.#makeRoom();
    const name = join(own, nameOf(COUNTRY, country));
    countries.set(country, name);
    return name;
  }

  #keepKey({ own, keys }: AccountNames, key: string): NameHash {
    this.#makeRoom();
    const name = join(own, nameOf(KEY, key));
    keys.set(key, name);
    return name;
  }

  /** What is forgotten is named again. */
  #makeRoom(): void {
    this.#kept += 1;
    if (this.#kept <= MOST_NAMES) return;
    this.#kept = 1;
    this.#accounts.clear();
    this.#countries.clear();
  }
}

function join(one: NameHash, other: NameHash): NameHash {
  return { a: mix(one.a ^ Math.imul(other.a, 31)), b: mix(one.b ^ Math.imul(other.b, 0x9e3779b1)) || 1 };
}
