import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LATENCY_BOUNDS } from '../core/counting/tally.ts';
import { learnDelay, meanWorth, shareBetween, shareBy, USUAL_DELAY } from './delay.ts';

const BINS = LATENCY_BOUNDS.length + 1;
const within = (ms: number) =>
  Array.from({ length: BINS }, (_, bin) =>
    bin === LATENCY_BOUNDS.findIndex((bound) => ms < bound) ? 1_000 : 0,
  );

test('the usual delay is half over after 12 s', () => {
  assert.ok(Math.abs(shareBy(USUAL_DELAY, 12_000) - 0.5) < 0.05);
  assert.equal(shareBy(USUAL_DELAY, 0), 0);
  assert.ok(shareBy(USUAL_DELAY, 600_000) > 0.99);
});

test('observations gradually outweigh the prior', () => {
  const few = learnDelay(within(45_000), USUAL_DELAY, 1_000);
  const many = learnDelay(within(45_000), USUAL_DELAY, 10);
  const early = [USUAL_DELAY, few, many].map((delay) => shareBy(delay, 30_000));
  assert.deepEqual(
    early,
    early.toSorted((a, b) => b - a),
  );
  assert.ok((early[2] ?? 1) < 0.02);
});

test('shares rise with age from 0 to at most 1, whatever was counted', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: BINS });
  const age = fc.integer({ min: 0, max: 700_000 });
  fc.assert(
    fc.property(counts, age, age, (seen, one, other) => {
      const delay = learnDelay(seen, USUAL_DELAY, 30);
      const [young, old] = [Math.min(one, other), Math.max(one, other)];
      const [least, most] = [shareBy(delay, young), shareBy(delay, old)];
      const mean = shareBetween(delay, young, old);
      assert.ok(least >= 0 && least <= most + 1e-12 && most <= 1 + 1e-12);
      assert.ok(mean >= least - 1e-12 && mean <= most + 1e-12);
    }),
  );
});

test('the faster carrier is worth a little more', () => {
  const worth = [100, 8_000, 45_000, 500_000].map((ms) => meanWorth(learnDelay(within(ms), USUAL_DELAY, 1)));
  assert.deepEqual(
    worth,
    worth.toSorted((a, b) => b - a),
  );
  assert.ok(worth.every((each) => each > 0.9 && each <= 1));
});
