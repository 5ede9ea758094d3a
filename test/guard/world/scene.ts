/** Where a scenario plays: accounts of different sizes and rhythms, and the everyday traffic that they have. */

import { COUNTRY_NAMES, type Country } from './lands/countries.ts';
import { drawLand, type Land } from './lands/land.ts';
import { Ledger } from './ledger.ts';
import { type Account, type Crowd, drawAccount, gather } from './people/account.ts';
import { keepComing, type Rhythm } from './people/arrivals.ts';
import type { Random } from './random.ts';
import { Stage } from './stage.ts';

export interface Size {
  /** Hours of everyday traffic before anything happens. */
  readonly history: readonly [number, number];
  readonly hours: readonly [number, number];
  /** Hours of everyday traffic afterwards. */
  readonly calm: readonly [number, number];
  /** Persons a day, over all accounts. */
  readonly perDay: readonly [number, number];
}

export interface Traffic {
  readonly crowd: Crowd;
  readonly perDay: number;
}

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 9, 5);
/** The last ones may need so long to be through. */
const LAST_TRIES = 15 * 60_000;

export class Scene {
  readonly random: Random;
  readonly stage: Stage;
  readonly ledger = new Ledger();
  readonly accounts: Account[] = [];
  readonly traffic: Traffic[] = [];
  /** What the seed made of this scenario, to be printed and tested. */
  readonly drawn: Record<string, number | string> = {};
  readonly start: number;
  /** What the scenario is about happens from here... */
  readonly from: number;
  /** ...to here. */
  readonly to: number;
  readonly end: number;
  readonly #lands = new Map<Country, Land>();

  constructor(random: Random, size: Size) {
    this.random = random;
    this.start = MONDAY + random.whole(0, 7 * 24 * 60) * 60_000;
    this.from = this.start + random.between(...size.history) * HOUR;
    this.to = this.from + random.between(...size.hours) * HOUR;
    this.end = this.to + random.between(...size.calm) * HOUR;
    this.stage = new Stage(this.start);
    this.#draw(random.scale(...size.perDay));
  }

  land(country: Country): Land {
    let land = this.#lands.get(country);
    if (land === undefined) {
      land = drawLand(country, this.random, drawConversion(this.random));
      this.#lands.set(country, land);
    }
    return land;
  }

  /** A land with a conversion that is the point of the scenario. Nobody has asked for it yet. */
  found(country: Country, conversion: number): Land {
    const land = drawLand(country, this.random, conversion);
    this.#lands.set(country, land);
    return land;
  }

  /** Countries that no account has people in. */
  get newCountries(): Country[] {
    const busy = new Set(this.traffic.map(({ crowd }) => crowd.land.country));
    return COUNTRY_NAMES.filter((country) => !busy.has(country));
  }

  get lands(): Land[] {
    return [...new Set(this.traffic.map(({ crowd }) => crowd.land))];
  }

  /** Sees to it that there are honest people. */
  settle(country: Country, perDay: number): void {
    if (this.lands.some((land) => land.country === country)) return;
    const crowd = gather(this.random.pick(this.accounts), this.land(country));
    this.add(crowd, perDay, drawRhythm(this.random));
  }

  addAccount(): Account {
    const account = drawAccount(`account-${this.accounts.length + 1}`, this.random);
    this.accounts.push(account);
    return account;
  }

  /** Everyday traffic, from the beginning to the end unless the times are given. */
  add(crowd: Crowd, perDay: number, rhythm: Rhythm, from = this.start, to = this.end - LAST_TRIES): void {
    this.traffic.push({ crowd, perDay });
    keepComing(this, crowd, { from, to, perDay, rhythm }, this.random.fork());
  }

  #draw(perDay: number): void {
    const { random } = this;
    const countries = random.sample(COUNTRY_NAMES, random.whole(5, 25));
    const slope = random.between(0.5, 1.5);
    const sizes = Array.from({ length: random.whole(3, 8) }, (_, rank) => (rank + 1) ** -slope);
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    for (const size of sizes) {
      const account = this.addAccount();
      const rhythm = drawRhythm(random);
      const own = random.sample(countries, random.scale(1, 12));
      // Home has the most people.
      const weights = own.map((_, rank) => (rank + 1) ** -random.between(1, 2));
      const all = weights.reduce((sum, weight) => sum + weight, 0);
      own.forEach((country, rank) => {
        const people = (perDay * (size / whole) * (weights[rank] ?? 0)) / all;
        this.add(gather(account, this.land(country)), people, rhythm);
      });
    }
    this.traffic.sort((a, b) => b.perDay - a.perDay);
    Object.assign(this.drawn, {
      accounts: this.accounts.length,
      countries: countries.length,
      perDay: Math.round(perDay),
      hours: Math.round((this.end - this.start) / HOUR),
    });
  }
}

export function drawRhythm(random: Random): Rhythm {
  return {
    swing: random.between(0.3, 0.95),
    weekend: random.between(0.4, 1.4),
    noon: random.between(11, 20),
  };
}

/** Most countries convert well, some poorly. */
function drawConversion(random: Random): number {
  return random.chance(0.2) ? random.between(0.4, 0.6) : random.between(0.6, 0.92);
}
