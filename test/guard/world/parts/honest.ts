/** What looks like an attack and is none. */

import { COUNTRY_NAMES } from '../lands/countries.ts';
import type { Land } from '../lands/land.ts';
import { type Account, drawPerson, gather, type Person } from '../people/account.ts';
import { arrive } from '../people/arrivals.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import { drawRhythm, type Scene } from '../scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A country that was hardly there or not at all: fifty times as many people within the hour, and they stay. */
export const launch: Part = (scene, window, random) => {
  launchIn(scene, window, random);
};

export function launchIn(
  scene: Scene,
  { from, to }: { from: number; to: number },
  random: Random,
): { land: Land; account: Account } {
  const account = random.pick(scene.accounts);
  const land = scene.land(random.pick(scene.newCountries));
  const crowd = { ...gather(account, land), returning: 0.05 };
  const before = random.scale(3, 30);
  const times = random.scale(30, 80);
  const ramp = random.between(0.3, 1.2) * HOUR;
  const ebb = random.between(2, 8) * HOUR;
  if (random.chance(0.5)) scene.add(crowd, before * 24, drawRhythm(random));
  const peak = (before * times) / HOUR;
  const rate = (at: number) =>
    peak * Math.min(1, (at - from) / ramp) * Math.min(1, Math.exp((to - at) / ebb));
  const arrivals = { from, to: scene.end - 15 * MINUTE, rate, peak };
  arrive(scene, arrivals, random, (own) => drawPerson(crowd, scene.stage.now, own));
  Object.assign(scene.drawn, {
    launch: land.country,
    launchTimes: Math.round(times),
    launchPerHour: Math.round(before * times),
  });
  return { land, account };
}

/** Hundreds or thousands of people within minutes, in a country that is well known. */
export const televisionSpot: Part = (scene, { from, to }, random) => {
  const { crowd } = random.pick(scene.traffic.slice(0, 5));
  const people = random.scale(150, 2_500);
  const spots = random.whole(1, 3);
  for (let spot = 0; spot < spots; spot++) {
    const at = random.between(from, to);
    const ebb = random.between(2, 12) * MINUTE;
    const peak = people / ebb;
    const rate = (now: number) => peak * Math.min(1, (now - at) / MINUTE) * Math.exp((at - now) / ebb);
    arrive(scene, { from: at, to: at + 8 * ebb, rate, peak }, random.fork(), (own) => ({
      ...drawPerson({ ...crowd, returning: 0.1 }, scene.stage.now, own),
    }));
  }
  Object.assign(scene.drawn, { spot: crowd.land.country, spotPeople: Math.round(people), spots });
};

/** Everybody in one address: a campus, or an operator that hides its people behind it. */
export const sharedAddress: Part = (scene, { from, to }, random) => {
  const account = pickPassing(scene, random);
  const home = random.pick(scene.traffic).crowd.land;
  const people = random.scale(200, 2_500);
  const foreign = random.between(0, 0.3);
  const addresses = Array.from({ length: random.whole(1, 4) }, () => home.addresses.draw(random));
  const crowds = [home, ...random.sample(scene.lands, 6)].map((land) => ({
    ...gather(account, land),
    returning: 0.05,
  }));
  const [locals = crowds[0], ...guests] = crowds;
  if (locals === undefined) return;
  const peak = people / (to - from);
  arrive(scene, { from, to, rate: () => peak, peak }, random, (own): Person => {
    const crowd = own.chance(foreign) && guests.length > 0 ? own.pick(guests) : locals;
    return { ...drawPerson(crowd, scene.stage.now, own), ip: own.pick(addresses) };
  });
  Object.assign(scene.drawn, { shared: home.country, sharedPeople: Math.round(people) });
};

export function pickPassing(scene: Scene, random: Random): Account {
  const passing = scene.accounts.filter((account) => account.passesAddresses);
  return passing.length > 0
    ? random.pick(passing)
    : { ...random.pick(scene.accounts), passesAddresses: true };
}

/** A country in which two of three never confirm, and never did. */
export const poorCountry: Part = (scene, window, random) => {
  poorCountryIn(scene, window, random);
};

export function poorCountryIn(
  scene: Scene,
  { from, to }: { from: number; to: number },
  random: Random,
): { land: Land; account: Account } {
  const land = scene.found(random.pick(scene.newCountries), random.between(0.3, 0.4));
  const perDay = random.scale(400, 5_000);
  const rhythm = drawRhythm(random);
  const accounts = random.sample(scene.accounts, random.whole(1, 3));
  const crowds = accounts.map((account) => ({ ...gather(account, land), returning: random.between(0, 0.1) }));
  for (const crowd of crowds) {
    scene.add(crowd, perDay / crowds.length, rhythm);
    if (random.chance(0.5)) {
      // A campaign makes some hours busier.
      const peak = ((perDay / crowds.length) * random.between(1, 5)) / DAY;
      const draw = (own: Random) => drawPerson(crowd, scene.stage.now, own);
      arrive(scene, { from, to, rate: () => peak, peak }, random.fork(), draw);
    }
  }
  Object.assign(scene.drawn, {
    poor: land.country,
    poorNumbers: land.callingCode,
    poorConversion: land.conversion,
    poorPerDay: Math.round(perDay),
  });
  return { land, account: random.pick(accounts) };
}

/** Codes of a carrier do not arrive; people ask again and again, and come back when it works. */
export const outage: Part = (scene, { from, to }, random) => {
  const lands = random.sample(scene.traffic.slice(0, 8), random.whole(1, 4)).map(({ crowd }) => crowd.land);
  const start = random.between(from, from + 0.3 * (to - from));
  const end = start + random.scale(10, 90) * MINUTE;
  const share = random.chance(0.3) ? 1 : random.between(0.4, 0.9);
  const delivered = random.between(0, 0.1);
  for (const land of new Set(lands)) {
    land.outages.push({ from: start, to: end, share, delivered });
    // Who got nothing comes back.
    for (const { crowd, perDay } of scene.traffic.filter((one) => one.crowd.land === land)) {
      const peak = (perDay / DAY) * random.between(0.5, 3);
      const draw = (own: Random) => drawPerson(crowd, scene.stage.now, own);
      const back = { from: end, to: end + random.between(10, 40) * MINUTE, rate: () => peak, peak };
      arrive(scene, back, random.fork(), draw);
    }
  }
  Object.assign(scene.drawn, {
    outage: [...new Set(lands)].map(({ country }) => country).join(' '),
    outageShare: share,
    outageMinutes: Math.round((end - start) / MINUTE),
  });
};

/** A new customer whose people come at once, from countries that the installation may not know. */
export const newAccount: Part = (scene, { from }, random) => {
  joinAt(scene, from, random);
};

export function joinAt(scene: Scene, from: number, random: Random): Account {
  const account = scene.addAccount();
  const isAbroad = random.chance(0.5);
  const countries = random.sample(
    isAbroad ? COUNTRY_NAMES : scene.lands.map(({ country }) => country),
    random.whole(1, 6),
  );
  const perDay = random.scale(500, 8_000);
  const rhythm = drawRhythm(random);
  for (const country of countries) {
    scene.add(
      { ...gather(account, scene.land(country)), returning: 0.1 },
      perDay / countries.length,
      rhythm,
      from,
    );
  }
  Object.assign(scene.drawn, { newcomer: countries.join(' '), newcomerPerDay: Math.round(perDay) });
  return account;
}

/** An application for travellers: a few people from each of dozens of countries. */
export const travellers: Part = (scene, _, random) => {
  const account = scene.addAccount();
  const countries = random.sample(COUNTRY_NAMES, random.whole(30, 65));
  const perDay = random.scale(200, 2_500);
  const rhythm = drawRhythm(random);
  for (const country of countries) {
    scene.add(gather(account, scene.land(country)), perDay / countries.length, rhythm);
  }
  Object.assign(scene.drawn, { travellersCountries: countries.length, travellersPerDay: Math.round(perDay) });
};
