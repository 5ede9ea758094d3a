/** Attacks that hide where honest people do something unusual. */

import { isMobile, type NumberRange } from '../lands/numbers.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import { onboardIn } from './company.ts';
import { joinAt, launchIn, poorCountryIn } from './honest.ts';
import { firstMinuteOf, insideOf, pump } from './pumping.ts';

export const pumpedLaunch: Part = (scene, { from, to }, random) => {
  const { land, account } = launchIn(scene, { from, to }, random);
  const start = from + random.between(0.05, 0.5) * (to - from);
  insideOf(scene, { from: start, to }, land.country, account, random);
};

/** The bots' ranges are next to the company's, or they have the one a hundred times as wide around it. */
export const pumpedOnboarding: Part = (scene, { from, to }, random) => {
  const company = onboardIn(scene, { from, to }, random);
  const { country, prefix, free } = company;
  const around = { country, prefix: prefix.slice(0, -2), free: free + 2 };
  const beside = listNeighbours(company, random);
  const ranges = random.chance(0.5) && beside.length > 0 ? random.sample(beside, 3) : [around];
  const start = from + random.between(0, 0.5) * (to - from);
  pump(scene, { from: start, to, requests: random.scale(1_000, 8_000), ranges }, random);
};

export const pumpedPoor: Part = (scene, window, random) => {
  const { land, account } = poorCountryIn(scene, window, random);
  insideOf(scene, window, land.country, account, random);
};

export const pumpedNewAccount: Part = (scene, { from }, random) => {
  const account = joinAt(scene, from, random);
  firstMinuteOf(scene, from + random.scale(1, 60) * 60_000, account, random);
};

/** The ranges of the same width that differ in the last digit of their beginning. */
function listNeighbours({ country, prefix, free }: NumberRange, random: Random): NumberRange[] {
  return Array.from({ length: 10 }, (_, digit) => `${prefix.slice(0, -1)}${digit}`)
    .filter((other) => other !== prefix && isMobile(other + random.digits(free), country))
    .map((other) => ({ country, prefix: other, free }));
}
