/** Attacks that hide where honest people do something unusual. */
import type { Part } from '../scenario.ts';
import { onboardIn } from './company.ts';
import { joinAt, launchIn, poorCountryIn } from './honest.ts';
import { firstMinuteOf, insideOf, pump } from './pumping.ts';

export const pumpedLaunch: Part = (scene, { from, to }, random) => {
  const { land, account } = launchIn(scene, { from, to }, random);
  const start = from + random.between(0.05, 0.5) * (to - from);
  insideOf(scene, { from: start, to }, land.country, account, random);
};

/** The bots' range is in the same block as the company's, or is the one ten times as wide around it. */
export const pumpedOnboarding: Part = (scene, { from, to }, random) => {
  const { country, prefix, free } = onboardIn(scene, { from, to }, random);
  const range = random.chance(0.5)
    ? { country, prefix: prefix.slice(0, -1), free: free + 1 }
    : { country, prefix: prefix.slice(0, -2), free: free + 2 };
  const start = from + random.between(0, 0.5) * (to - from);
  pump(scene, { from: start, to, requests: random.scale(1_000, 8_000), ranges: [range] }, random);
};

export const pumpedPoor: Part = (scene, window, random) => {
  const { land, account } = poorCountryIn(scene, window, random);
  insideOf(scene, window, land.country, account, random);
};

export const pumpedNewAccount: Part = (scene, { from }, random) => {
  const account = joinAt(scene, from, random);
  firstMinuteOf(scene, from + random.scale(1, 60) * 60_000, account, random);
};
