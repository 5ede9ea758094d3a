import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLand, type Land } from './lands/land.ts';
import { Ledger } from './ledger.ts';
import { Random } from './random.ts';
import { Timeline } from './timeline.ts';

const MINUTE = 60_000;
const random = new Random(1);
const uzbekistan: Land = { ...drawLand('UZ', random, 0.7), price: 0.25 };
const morocco: Land = { ...drawLand('MA', random, 0.7), price: 0.1 };

test('spend is counted at the price of each country', () => {
  const ledger = new Ledger();
  ledger.attack(0, uzbekistan, true);
  ledger.attack(1, uzbekistan, false);
  ledger.attack(2, morocco, false);
  const { attack, recoveryMinutes } = ledger.score();
  assert.deepEqual(attack, { requests: 3, spend: 0.6, requestsAllowed: 1, spendAllowed: 0.25 });
  assert.equal(recoveryMinutes, undefined);
});

test('a person counts as refused unless a try within ten minutes is let through', () => {
  const ledger = new Ledger();
  ledger.arrive(0, morocco, true);
  const late = ledger.arrive(0, morocco, false);
  const inTime = ledger.arrive(0, morocco, false);
  ledger.retry(5 * MINUTE, inTime, false);
  ledger.retry(10 * MINUTE, inTime, true);
  ledger.retry(10 * MINUTE + 1, late, true);
  assert.deepEqual(ledger.score().honest, { persons: 3, refused: 1 });
});

test('a country has recovered when nine of ten people in a row are let through', () => {
  const ledger = new Ledger();
  ledger.attack(MINUTE, morocco, true);
  ledger.attack(MINUTE, uzbekistan, true);
  ledger.arrive(0, morocco, false);
  for (let minute = 2; minute < 40; minute++)
    ledger.arrive(minute * MINUTE, morocco, minute >= 20 || minute % 5 === 0);
  for (let minute = 2; minute < 40; minute++) ledger.arrive(minute * MINUTE, uzbekistan, true);
  // From the nineteenth minute on, one of ten is refused.
  assert.equal(ledger.score().recoveryMinutes, 18);
});

test('a country that never recovers counts until the last person', () => {
  const ledger = new Ledger();
  ledger.attack(0, morocco, true);
  for (let minute = 1; minute <= 30; minute++) ledger.arrive(minute * MINUTE, morocco, false);
  assert.equal(ledger.score().recoveryMinutes, 30);
});

test('tasks run earliest first, those of one moment in the order in which they were planned', () => {
  const timeline = new Timeline();
  const done: string[] = [];
  const times = Array.from({ length: 500 }, () => random.whole(0, 100));
  times.forEach((at, rank) => {
    timeline.plan(at, () => done.push(`${at} ${rank}`));
  });
  for (let task = timeline.take(); task !== undefined; task = timeline.take()) task.act();
  const sorted = times.map((at, rank) => ({ at, rank })).toSorted((a, b) => a.at - b.at || a.rank - b.rank);
  assert.deepEqual(
    done,
    sorted.map(({ at, rank }) => `${at} ${rank}`),
  );
});

test('random numbers are spread as they should be, and each fork goes its own way', () => {
  const many = (draw: () => number) => Array.from({ length: 20_000 }, draw);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(mean(many(() => random.next())) - 0.5) < 0.01);
  assert.ok(Math.abs(mean(many(() => random.exponential(7))) - 7) < 0.25);
  assert.ok(Math.abs(mean(many(() => random.normal()))) < 0.03);
  assert.ok(Math.abs(mean(many(() => random.whole(1, 3))) - 2) < 0.03);
  assert.ok(Math.abs(mean(many(() => Number(random.chance(0.2)))) - 0.2) < 0.012);
  const same = new Random(5);
  assert.equal(new Random(5).next(), same.next());
  assert.notEqual(new Random(5).fork().next(), new Random(6).fork().next());
});
