/** Bots that ask for codes to ranges whose operators share the fee. */

import { attack, type Campaign, HABITS } from '../bots.ts';
import { drawHosts } from '../lands/addresses.ts';
import { type Country, DEAR_COUNTRIES } from '../lands/countries.ts';
import { drawRange, listBlocks, type NumberRange } from '../lands/numbers.ts';
import type { Account } from '../people/account.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import type { Scene } from '../scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Plan = Partial<Campaign> & Pick<Campaign, 'from' | 'to' | 'requests' | 'ranges'>;

/** Honest people are in some of an attack's countries too, but not in all of forty. */
const MAX_SETTLED = 8;

/** What a scenario does not state is any attacker's choice. */
export function pump(scene: Scene, plan: Plan, random: Random): void {
  const campaign: Campaign = {
    accounts: random.sample(scene.accounts, random.whole(1, 3)),
    spread: random.chance(0.3),
    width: Math.min(plan.ranges.length, random.whole(1, 6)),
    pace: random.pick(['even', 'even', 'rising', 'bursts']),
    confirmed: random.chance(0.3) ? random.between(0, 0.05) : 0,
    perNumber: random.whole(1, 3),
    order: random.pick(['counting', 'random']),
    channel: random.chance(0.15) ? 'voice' : 'sms',
    ip: random.chance(0.65) ? behindProxies(scene) : fromHosts(random),
    habit: random.pick(HABITS),
    patience: random.whole(3, 120),
    ...plan,
    // Who uses all ranges at once has no others.
    ranges: plan.width === undefined ? addReserve(plan.ranges, random) : plan.ranges,
  };
  const countries = new Set(plan.ranges.map(({ country }) => country));
  for (const country of [...countries].slice(0, MAX_SETTLED)) {
    if (random.chance(0.4)) scene.settle(country, random.scale(20, 1_500));
  }
  attack(scene, campaign, random);
  note(scene, campaign);
}

/** Ranges elsewhere, for when the first ones no longer pay. */
function addReserve(ranges: readonly NumberRange[], random: Random): readonly NumberRange[] {
  if (random.chance(0.6)) return ranges;
  const countries = random.sample(DEAR_COUNTRIES, random.whole(1, 5));
  return [...ranges, ...drawRanges(countries, random.whole(2, 15), [3, 5], random)];
}

function note({ drawn }: Scene, { ranges, requests, confirmed, habit, from, to, width }: Campaign): void {
  const campaigns = Number(drawn.campaigns ?? 0) + 1;
  const countries = new Set(ranges.map(({ country }) => country));
  Object.assign(drawn, {
    campaigns,
    [`attack${campaigns}`]: countries.size > 3 ? `${countries.size} countries` : [...countries].join(' '),
    [`requests${campaigns}`]: Math.round(requests),
    [`ranges${campaigns}`]: `${width}/${ranges.length} free ${[...new Set(ranges.map(({ free }) => free))].toSorted().join(' ')}`,
    [`minutes${campaigns}`]: Math.round((to - from) / MINUTE),
    [`confirmed${campaigns}`]: confirmed,
    [`habit${campaigns}`]: habit,
  });
}

/** Residential proxies: a different one each time, in the number's country. */
export function behindProxies(scene: Scene): Campaign['ip'] {
  return ({ country }, random) => scene.land(country).addresses.draw(random);
}

export function fromHosts(random: Random): Campaign['ip'] {
  const hosts = drawHosts(random.whole(1, 60), random);
  return (_, own) => own.pick(hosts);
}

export function drawRanges(
  countries: readonly Country[],
  count: number,
  free: readonly [number, number],
  random: Random,
  among: (country: Country) => readonly string[] = listBlocks,
): NumberRange[] {
  const chosen = Array.from(
    { length: count },
    (_, at) => countries[at % countries.length] ?? random.pick(countries),
  );
  return chosen.map((country) => drawRange(country, among(country), random.whole(...free), random));
}

export const adjacent: Part = (scene, { from, to }, random) => {
  const country = random.pick(DEAR_COUNTRIES);
  const requests = random.scale(4_000, 24_000);
  const ranges = random.chance(0.5)
    ? drawRanges([country], 1, [4, 6], random)
    : drawRanges([country], random.whole(2, 20), [3, 5], random);
  pump(scene, { from, to: Math.min(to, from + random.scale(0.3, 6) * HOUR), requests, ranges }, random);
};

export const thin: Part = (scene, { from, to }, random) => {
  const countries = random.sample(DEAR_COUNTRIES, random.whole(28, 40));
  const requests = countries.length * random.scale(40, 200);
  const ranges = drawRanges(countries, countries.length * random.whole(1, 2), [3, 5], random);
  const accounts = random.sample(scene.accounts, random.whole(1, 3));
  pump(scene, { from, to, requests, ranges, accounts, width: countries.length }, random);
};

/** Five to ten per cent of the volume, for days. */
export const slow: Part = (scene, { from, to }, random) => {
  const perDay = scene.traffic.reduce((sum, one) => sum + one.perDay, 0);
  const share = random.between(0.05, 0.1);
  const requests = (perDay * share * (to - from)) / DAY;
  const ranges = drawRanges(
    random.sample(DEAR_COUNTRIES, random.whole(1, 2)),
    random.whole(2, 6),
    [3, 5],
    random,
  );
  pump(scene, { from, to, requests, ranges, pace: 'even' }, random);
  scene.drawn.slowShare = share;
};

/** In a country with much honest traffic, half of the time between honest people's numbers. */
export const inside: Part = (scene, { from, to }, random) => {
  const { crowd } = random.pick(scene.traffic.slice(0, 3));
  insideOf(scene, { from, to }, crowd.land.country, crowd.account, random);
};

export function insideOf(
  scene: Scene,
  { from, to }: { from: number; to: number },
  country: Country,
  account: Account,
  random: Random,
): void {
  const among = random.chance(0.5) ? (one: Country) => scene.land(one).blocks : listBlocks;
  const ranges = drawRanges([country], random.whole(1, 12), [3, 5], random, among);
  pump(scene, { from, to, requests: random.scale(1_000, 8_000), ranges, accounts: [account] }, random);
}

/** A quarter of the messages, more or less, is confirmed by the bots. */
export const confirming: Part = (scene, { from, to }, random) => {
  const countries = random.sample(DEAR_COUNTRIES, random.whole(1, 3));
  const ranges = drawRanges(countries, random.whole(1, 10), [3, 5], random);
  const confirmed = random.between(0.15, 0.35);
  pump(scene, { from, to, requests: random.scale(2_000, 12_000), ranges, confirmed }, random);
};

/** First a few messages that are confirmed as people would, for hours or days; then the flood. */
export const warmed: Part = (scene, { from, to }, random) => {
  const ranges = drawRanges([random.pick(DEAR_COUNTRIES)], random.whole(1, 4), [3, 5], random);
  const requests = random.scale(2_000, 12_000);
  const share = random.between(0.03, 0.1);
  const same = { ranges, accounts: [random.pick(scene.accounts)], width: ranges.length };
  const early = { from: scene.start + 0.2 * (from - scene.start), to: from, pace: 'even' } as const;
  pump(
    scene,
    { ...same, ...early, requests: requests * share, confirmed: random.between(0.6, 0.95), perNumber: 1 },
    random.fork(),
  );
  pump(scene, { ...same, from, to, requests: requests * (1 - share) }, random.fork());
  scene.drawn.warmedShare = share;
};

/** A different address, key and account each time, and another range as soon as one is closed. */
export const rotating: Part = (scene, { from, to }, random) => {
  const countries = random.sample(DEAR_COUNTRIES, random.whole(1, 4));
  const ranges = drawRanges(countries, random.whole(10, 50), [3, 5], random);
  const habit = random.pick(['next-account', 'next-range', 'anything'] as const);
  const rest = {
    accounts: scene.accounts,
    spread: true,
    ip: behindProxies(scene),
    width: random.whole(4, 10),
  };
  pump(
    scene,
    {
      from,
      to,
      requests: random.scale(3_000, 15_000),
      ranges,
      habit,
      patience: random.whole(1, 10),
      ...rest,
    },
    random,
  );
};

/** All on one day, and again on the next ones. */
export const waves: Part = (scene, { from, to }, random) => {
  const ranges = drawRanges(
    random.sample(DEAR_COUNTRIES, random.whole(1, 3)),
    random.whole(1, 8),
    [3, 5],
    random,
  );
  pump(scene, { from, to, requests: random.scale(2_000, 10_000), ranges, pace: 'bursts' }, random);
};

/** The first requests of an account that nobody has seen before. */
export const firstMinute: Part = (scene, { from }, random) => {
  firstMinuteOf(scene, from, scene.addAccount(), random);
};

export function firstMinuteOf(scene: Scene, from: number, account: Account, random: Random): void {
  const accounts = [account];
  const countries = random.sample(DEAR_COUNTRIES, random.whole(1, 20));
  const ranges = drawRanges(countries, countries.length * random.whole(1, 3), [3, 5], random);
  const to = from + random.scale(1, 20) * MINUTE;
  const width = Math.min(ranges.length, random.whole(1, 10));
  pump(
    scene,
    { from, to, requests: random.scale(600, 6_000), ranges, accounts, width, pace: 'even' },
    random,
  );
}

/** So many of a hundred are confirmed, to look like a poor country: some thirty requests an hour in each of several blocks. */
export const faking =
  (confirmed: number): Part =>
  (scene, { from, to }, random) => {
    const countries = random.sample(DEAR_COUNTRIES, random.whole(1, 3));
    const ranges = drawRanges(countries, random.whole(4, 16), [4, 4], random);
    for (const country of countries) scene.settle(country, random.scale(100, 1_500));
    const requests = (ranges.length * random.between(20, 40) * (to - from)) / HOUR;
    const rest = { ranges, width: ranges.length, pace: 'even', order: 'random', habit: 'persist' } as const;
    pump(scene, { from, to, requests, confirmed, perNumber: random.whole(1, 2), ...rest }, random);
  };
