/** People and bots do what they are drawn for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, type Campaign, type Habit } from '../bots.ts';
import type { VerifyEvent } from '../event.ts';
import { drawLand, drawSubscriber, isDelivered } from '../lands/land.ts';
import { countThrough, drawRange, isMobile, listBlocks } from '../lands/numbers.ts';
import { launchIn } from '../parts/honest.ts';
import { behindProxies, drawRanges } from '../parts/pumping.ts';
import { Random } from '../random.ts';
import { Scene } from '../scene.ts';
import { drawPerson, gather, remember } from './account.ts';

const HOUR = 3_600_000;
const SMALL = { history: [2, 2], hours: [2, 2], calm: [6, 6], perDay: [60, 60] } as const;

function play(scene: Scene, isAllowed: boolean): VerifyEvent[] {
  const asked: VerifyEvent[] = [];
  for (let event = scene.stage.next(); event !== undefined; event = scene.stage.next()) {
    if (event.op !== 'verify') continue;
    asked.push(event);
    scene.stage.decided(event.ref, isAllowed);
  }
  return asked;
}

/** What 400 requests of bots look like who have two ranges in use and four in reserve. */
function campaign(habit: Habit, isAllowed: boolean, more: Partial<Campaign> = {}) {
  const random = new Random(3);
  const scene = new Scene(random, SMALL);
  const ranges = drawRanges(['UZ', 'MA', 'NG'], 6, [4, 4], random);
  attack(
    scene,
    {
      accounts: scene.accounts.slice(0, 3),
      spread: false,
      ranges,
      width: 2,
      from: scene.from,
      to: scene.to,
      requests: 400,
      pace: 'even',
      confirmed: 0,
      perNumber: 1,
      order: 'counting',
      channel: 'voice',
      ip: behindProxies(scene),
      habit,
      patience: 10,
      ...more,
    },
    random,
  );
  const asked = play(scene, isAllowed).filter(({ destination }) =>
    ranges.some(({ prefix }) => destination.startsWith(prefix)),
  );
  const used = ranges.filter(({ prefix }) => asked.some(({ destination }) => destination.startsWith(prefix)));
  const times = asked.map(({ at }) => Date.parse(at));
  return {
    requests: asked.length,
    numbers: new Set(asked.map(({ destination }) => destination)).size,
    ranges: used.length,
    accounts: new Set(asked.map(({ account }) => account)).size,
    hours: (Math.max(...times) - Math.min(...times)) / HOUR,
    counted: scene.ledger.score().attack,
  };
}

test('bots who are let through go on as they began', () => {
  for (const habit of ['next-range', 'next-account', 'slow-down', 'anything'] as const) {
    const { requests, ranges, accounts, hours, numbers, counted } = campaign(habit, true);
    assert.deepEqual(
      { requests, ranges, accounts, numbers },
      { requests: 400, ranges: 2, accounts: 1, numbers: 400 },
    );
    assert.ok(hours > 1.6 && hours < 2.4, `${hours}`);
    assert.equal(counted.requestsAllowed, 400);
  }
});

test('bots who are refused move to other ranges, countries and accounts, or slow down', () => {
  assert.equal(campaign('next-range', false).ranges, 6);
  assert.equal(campaign('next-account', false).accounts, 3);
  assert.ok(campaign('slow-down', false).hours > 2.6);
  const stubborn = campaign('persist', false);
  assert.deepEqual([stubborn.requests, stubborn.ranges, stubborn.accounts], [400, 2, 1]);
  assert.equal(stubborn.counted.spendAllowed, 0);
});

test('bots that spread use all accounts at once, and send to a number as often as they are told', () => {
  const { accounts, numbers } = campaign('persist', true, { spread: true, perNumber: 3 });
  assert.equal(accounts, 3);
  assert.ok(numbers > 170 && numbers < 240, `${numbers}`);
});

test('a launch brings many times as many people within the hour', () => {
  const scene = new Scene(new Random(8), SMALL);
  const { land } = launchIn(scene, { from: scene.from, to: scene.to }, new Random(8));
  const there = play(scene, true).filter(({ destination }) => destination.startsWith(land.callingCode));
  const within = (from: number, to: number) =>
    there.filter(({ at }) => from <= Date.parse(at) && Date.parse(at) < to).length;
  const before = within(scene.start, scene.from) / 2;
  const after = within(scene.from + 1.2 * HOUR, scene.from + 2.2 * HOUR);
  assert.ok(after > 90 && after > 20 * before, `${after} an hour after ${before}`);
});

test('an outage hits the share of operators that was drawn, while it lasts', () => {
  const random = new Random(4);
  const land = drawLand('NG', random, 0.8);
  land.outages.push({ from: 100, to: 200, share: 0.5, delivered: 0 });
  const numbers = Array.from({ length: 2_000 }, () => drawSubscriber(land, random));
  const arrived = (at: number) => numbers.filter((number) => isDelivered(land, number, at, random)).length;
  assert.deepEqual([99, 200].map(arrived), [2_000, 2_000]);
  assert.ok(arrived(150) > 500 && arrived(150) < 1_500, `${arrived(150)}`);
  land.outages[0] = { from: 100, to: 200, share: 1, delivered: 0.1 };
  assert.ok(arrived(150) > 100 && arrived(150) < 300);
});

test('numbers are mobile ones of their country, and a range is counted through without a gap', () => {
  const random = new Random(5);
  for (const country of ['US', 'GB', 'UZ', 'TG', 'AR'] as const) {
    const land = drawLand(country, random, 0.8);
    for (let i = 0; i < 50; i++) assert.ok(isMobile(drawSubscriber(land, random), country));
    const range = drawRange(country, listBlocks(country), 2, random);
    const numbers = countThrough(range, random);
    const seen = new Set(Array.from({ length: 100 }, () => numbers.next().value));
    assert.ok(seen.size > 50);
    for (const number of seen) assert.ok(number.startsWith(range.prefix) && isMobile(number, country));
  }
});

test('people come back hours later with the same number, and confirm more often', () => {
  const random = new Random(6);
  const scene = new Scene(random, SMALL);
  const [account] = scene.accounts;
  assert.ok(account);
  const crowd = { ...gather(account, drawLand('MA', random, 0.5)), returning: 0.5 };
  for (let i = 0; i < 500; i++) remember(drawPerson(crowd, 0, random), 0, random);
  const soon = Array.from({ length: 200 }, () => drawPerson(crowd, HOUR / 2, random));
  assert.ok(soon.every(({ isKnown }) => !isKnown));
  const later = Array.from({ length: 400 }, () => drawPerson(crowd, 48 * HOUR, random));
  const known = later.filter(({ isKnown }) => isKnown);
  assert.ok(known.length > 100 && known.length < 240, `${known.length}`);
  const share = known.filter(({ converts }) => converts).length / known.length;
  assert.ok(share > 0.6, `${share}`);
});

test('people to whom nothing comes ask four times at most, within minutes', () => {
  const scene = new Scene(new Random(9), { ...SMALL, perDay: [600, 600] });
  for (const land of scene.lands) {
    land.outages.push({ from: scene.start, to: scene.end + HOUR, share: 1, delivered: 0 });
  }
  const tries = new Map<string, number>();
  for (const { destination } of play(scene, true)) tries.set(destination, (tries.get(destination) ?? 0) + 1);
  const counts = [...tries.values()];
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  assert.equal(Math.max(...counts), 4);
  assert.ok(mean > 2 && mean < 3.5, `${mean}`);
});
