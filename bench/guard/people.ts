/** Who asks for codes in the simulated week of the guard: people, offices, and those who pump, bomb and guess. */
import type { Ask } from '../../src/guard/ask.ts';
import type { Random } from '../../test/guard/world/random.ts';

interface Country {
  readonly name: string;
  readonly prefix: string;
  /** Digits behind the prefix. */
  readonly digits: number;
  /** The share of people who confirm. */
  readonly conversion: number;
}

const COUNTRIES: readonly Country[] = [
  { name: 'DE', prefix: '+4915', digits: 9, conversion: 0.8 },
  { name: 'FR', prefix: '+336', digits: 8, conversion: 0.75 },
  { name: 'GB', prefix: '+447', digits: 9, conversion: 0.78 },
  { name: 'MA', prefix: '+2126', digits: 8, conversion: 0.6 },
  { name: 'UZ', prefix: '+9989', digits: 8, conversion: 0.45 },
  { name: 'US', prefix: '+1415', digits: 7, conversion: 0.85 },
  { name: 'IN', prefix: '+919', digits: 9, conversion: 0.35 },
  { name: 'RS', prefix: '+3816', digits: 7, conversion: 0.7 },
  { name: 'NU', prefix: '+6834', digits: 3, conversion: 0.7 },
  ...Array.from({ length: 14 }, (_, at) => ({
    name: `X${at}`,
    prefix: `+8${at + 10}7`,
    digits: 5 + (at % 5),
    conversion: 0.3 + (at % 7) / 12,
  })),
];
const ACCOUNTS = 14;
/** These have their codes judged elsewhere: always, and half of them. */
const BRINGS = ACCOUNTS - 1;
const BRINGS_SOME = ACCOUNTS - 2;
const REMEMBERED = 60_000;

export interface Request {
  readonly ask: Ask;
  readonly isBrought: boolean;
  /** How likely it is confirmed, and that a wrong code is typed before. */
  readonly confirms: number;
  readonly mistypes: number;
}

/** Something that goes on for a while beside the people. */
export type Trouble = (at: number) => Request;

export class People {
  readonly #random: Random;
  /** People who asked before, and ask again. */
  readonly #known: Ask[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Somebody new, or somebody who comes back. */
  somebody(at: number): Request {
    const random = this.#random;
    const known = random.chance(0.35) ? this.#known[random.whole(0, REMEMBERED - 1)] : undefined;
    const ask = known === undefined ? this.#newcomer(at) : { ...known, at, ...this.#elsewhere(known) };
    if (this.#known.length < REMEMBERED) this.#known.push(ask);
    else this.#known[random.whole(0, REMEMBERED - 1)] = ask;
    const confirms = COUNTRIES.find(({ name }) => name === ask.country)?.conversion ?? 0.5;
    return { ask, isBrought: this.#brings(ask), confirms, mistypes: 0.1 };
  }

  /** A range is pumped by bots that confirm some of it. */
  pumping(): Trouble {
    const random = this.#random;
    const country = this.#country();
    const length = random.whole(0, Math.max(0, country.digits - 3));
    const range = country.prefix + this.#digits(length);
    const confirms = random.chance(0.5) ? 0 : random.between(0, 0.4);
    const { account, key } = random.chance(0.3)
      ? { account: `account ${BRINGS}`, key: 'key 0' }
      : this.#asker();
    const wanders = random.chance(0.5) ? 0.5 : 0;
    return (at) => {
      const destination = range + this.#digits(country.digits - length);
      const from = random.chance(wanders) ? this.#asker() : { account, key };
      const ask = { at, ...from, ...numbered(destination), country: country.name, ...this.#device() };
      return { ask, isBrought: this.#brings(ask), confirms, mistypes: 0 };
    };
  }

  /** A few people get codes of all accounts that they did not ask for. */
  bombing(): Trouble {
    const random = this.#random;
    const victims = Array.from({ length: random.whole(1, 40) }, () => this.#newcomer(0));
    return (at) => {
      const ask = { ...random.pick(victims), at, ...this.#asker(), ...this.#device() };
      return { ask, isBrought: this.#brings(ask), confirms: 0.02, mistypes: 0 };
    };
  }

  /** One machine guesses codes. */
  guessing(): Trouble {
    const random = this.#random;
    const network = `network ${random.whole(0, 1e9)}`;
    return (at) => {
      const ask = { ...this.#newcomer(at), network, device: undefined };
      return { ask, isBrought: false, confirms: 0.01, mistypes: 0.9 };
    };
  }

  #newcomer(at: number): Ask {
    const country = this.#country();
    const destination = this.#random.chance(0.004)
      ? `sip:${this.#random.whole(0, 5_000)}@example.org`
      : country.prefix + this.#digits(country.digits);
    return { at, ...this.#asker(), ...numbered(destination), country: country.name, ...this.#device() };
  }

  #elsewhere(known: Ask): Partial<Ask> {
    return this.#random.chance(0.15) ? { ...this.#asker(), ...this.#device() } : { key: known.key };
  }

  #country(): Country {
    // Most of the traffic is that of the first few.
    const at = Math.floor(COUNTRIES.length * this.#random.next() ** 2.5);
    return COUNTRIES[at] ?? { name: 'ZZ', prefix: '+999', digits: 6, conversion: 0.5 };
  }

  #asker(): Pick<Ask, 'account' | 'key'> {
    const random = this.#random;
    const account = Math.floor(ACCOUNTS * random.next() ** 1.7);
    return { account: `account ${account}`, key: `key ${random.whole(0, 2)}` };
  }

  #device(): Partial<Ask> {
    const random = this.#random;
    const network = random.chance(0.7) ? `network ${Math.floor(200_000 * random.next() ** 2)}` : undefined;
    const device = random.chance(0.3) ? `device ${Math.floor(50_000 * random.next() ** 2)}` : undefined;
    return { network, device };
  }

  /** The first digits are those of few operators. */
  #digits(count: number): string {
    let digits = '';
    for (let at = 0; at < count; at++)
      digits += Math.floor(10 * this.#random.next() ** (at < count - 4 ? 3 : 1));
    return digits;
  }

  #brings({ account }: Ask): boolean {
    if (account === `account ${BRINGS}`) return true;
    return account === `account ${BRINGS_SOME}` && this.#random.chance(0.5);
  }
}

function numbered(destination: string): Pick<Ask, 'number' | 'destination'> {
  return { number: `hash of ${destination}`, destination };
}
