import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timeTicks, valueTicks } from './ticks.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.parse('2026-11-20T12:34:56Z');
const labels = (span: number, most: number) =>
  timeTicks(NOON - span, NOON, most, 'utc').map(({ label }) => label);

test('ticks are at round times', () => {
  assert.deepEqual(labels(HOUR, 6), ['11:40', '11:50', '12:00', '12:10', '12:20', '12:30']);
  assert.deepEqual(labels(DAY, 6), ['18:00', '20 Nov', '06:00', '12:00']);
  assert.deepEqual(labels(7 * DAY, 7), [
    ...['14 Nov', '15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov'],
  ]);
  assert.deepEqual(labels(30 * DAY, 6), ['26 Oct', '2 Nov', '9 Nov', '16 Nov']);
  assert.deepEqual(labels(365 * DAY, 6), ['2026', 'Apr', 'Jul', 'Oct']);
});

test('never more than wanted, in order, and within the span', () => {
  const span = fc.double({ min: Math.log(10 * 60_000), max: Math.log(9 * 366 * DAY), noNaN: true });
  fc.assert(
    fc.property(
      span,
      fc.integer({ min: 3, max: 12 }),
      fc.constantFrom('utc', 'local'),
      (power, most, zone) => {
        const from = NOON - Math.ceil(Math.exp(power));
        const ticks = timeTicks(from, NOON, most, zone).map(({ at }) => at);
        assert.ok(ticks.length <= most + 1);
        for (const [index, at] of ticks.entries()) {
          assert.ok(at >= from && at <= NOON && at > (ticks[index - 1] ?? 0));
        }
      },
    ),
  );
});

test('where clocks change, ticks stay on full hours of the wall', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  try {
    const [from, to] = [Date.parse('2026-03-28T20:00:00Z'), Date.parse('2026-03-29T20:00:00Z')];
    assert.deepEqual(
      timeTicks(from, to, 5, 'local').map(({ at }) => new Date(at).toISOString().slice(8, 16)),
      ['28T23:00', '29T04:00', '29T10:00', '29T16:00'],
    );
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('an axis ends on a round number that holds the greatest, in round steps', () => {
  assert.deepEqual(valueTicks(0, 1), [0, 1]);
  assert.deepEqual(valueTicks(3, 1), [0, 1, 2, 3]);
  assert.deepEqual(valueTicks(5, 1), [0, 2, 4, 6]);
  assert.deepEqual(valueTicks(41, 1), [0, 20, 40, 60]);
  assert.deepEqual(valueTicks(8001, 1), [0, 5000, 10_000]);
  assert.deepEqual(valueTicks(0.3), [0, 0.1, 0.2, 0.3]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (max) => {
      const ticks = valueTicks(max);
      assert.ok((ticks.at(-1) ?? 0) >= max * (1 - 1e-6) && ticks.length <= 6);
    }),
  );
});
