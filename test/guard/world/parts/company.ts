/** Honest people whose numbers lie side by side. */

import { drawShared } from '../lands/addresses.ts';
import { countThrough, drawRange, type NumberRange } from '../lands/numbers.ts';
import { gather, type Person } from '../people/account.ts';
import { arrive } from '../people/arrivals.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import type { Scene } from '../scene.ts';

const MINUTE = 60_000;

/** A company signs its people up: adjacent numbers, often from one office. */
export const onboarding: Part = (scene, window, random) => {
  onboardIn(scene, window, random);
};

export function onboardIn(
  scene: Scene,
  { from, to }: { from: number; to: number },
  random: Random,
): NumberRange {
  const account = random.pick(scene.accounts);
  const land = random.chance(0.7) ? random.pick(scene.lands) : scene.land(random.pick(scene.newCountries));
  const people = random.whole(60, 1_500);
  const free = people < 80 ? random.whole(2, 3) : people < 800 ? random.whole(3, 4) : 4;
  const range = drawRange(land.country, land.blocks, free, random);
  const numbers = takeSome(range, people, random);
  const office = random.chance(0.6) ? drawShared(random) : undefined;
  const crowd = { ...gather(account, land), returning: 0 };
  const conversion = random.between(0.75, 0.97);
  const until = Math.min(to, from + random.scale(20, 360) * MINUTE);
  const peak = numbers.length / (until - from);
  let next = 0;
  arrive(scene, { from, to: until, rate: () => peak, peak }, random, (own): Person => {
    const number = numbers[next++ % numbers.length] ?? '';
    const ip = office ?? land.addresses.draw(own);
    const key = own.pickEarly(account.keys);
    return { crowd, number, key, ip, isKnown: false, converts: own.chance(conversion) };
  });
  Object.assign(scene.drawn, {
    onboarding: land.country,
    onboardingPeople: numbers.length,
    onboardingFree: free,
    onboardingConversion: conversion,
  });
  return range;
}

/** Most numbers of the range, one by one or shuffled. */
export function takeSome(range: NumberRange, people: number, random: Random): string[] {
  const found = new Set<string>();
  for (const number of countThrough(range, random)) {
    if (found.has(number) || found.size >= people) break;
    found.add(number);
  }
  return random.chance(0.4) ? [...found] : random.shuffle([...found]);
}

/** At three in the morning a machine tests the sign-in, with telephones that lie side by side or anywhere. */
export const nightTest: Part = (scene, { from, to }, random) => {
  const { crowd } = random.pick(scene.traffic.slice(0, 6));
  const { account, land } = crowd;
  const range = drawRange(land.country, land.blocks, random.whole(2, 5), random);
  const phones = takeSome(range, random.whole(5, 60), random);
  const runs = Math.min(random.whole(40, 400), 5 * phones.length);
  // No telephone again within a quarter of an hour.
  const pause = Math.max(random.scale(2, 30) * 1_000, (15 * MINUTE) / phones.length);
  const start = nightBefore(to, land.ahead, from);
  const conversion = random.between(0.6, 1);
  const ip = drawShared(random);
  const key = random.pick(account.keys);
  const peak = 1 / pause;
  let next = 0;
  arrive(scene, { from: start, to: start + runs * pause, rate: () => peak, peak }, random, (own): Person => {
    const number = phones[next++ % phones.length] ?? '';
    const test = { ...crowd, account: { ...account, impatient: 0 }, known: [] };
    return { crowd: test, number, key, ip, isKnown: false, converts: own.chance(conversion) };
  });
  Object.assign(scene.drawn, { tests: runs, testPhones: phones.length, testConversion: conversion });
};

/** Three o'clock in a country, the last time before `to` if that is not before `from`. */
function nightBefore(to: number, ahead: number, from: number): number {
  const day = 24 * 60 * MINUTE;
  const three = (3 - ahead) * 60 * MINUTE;
  const night = Math.floor((to - three) / day) * day + three;
  return night < from ? from : night;
}
