import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { dayOf, daysOf } from './day.ts';

test('a day is a whole number, though every number is bound as REAL', () => {
  using db = new DatabaseSync(':memory:');
  const day = db.prepare(`SELECT ${dayOf(':time')} AS day`);
  fc.assert(
    fc.property(fc.nat({ max: 4e12 }), (time) => {
      assert.equal(day.get({ time })?.day, Math.floor(time / DAY_MS));
    }),
  );
});

test('every time within a window is on one of the days of the window', () => {
  using db = new DatabaseSync(':memory:');
  const windows = [1, 600_000, DAY_MS - 1, DAY_MS, DAY_MS + 1, 7 * DAY_MS];
  const statements = windows.map((windowMs) => ({
    windowMs,
    inDays: db.prepare(`SELECT ${dayOf(':time')} IN (${daysOf(windowMs)}) AS found`),
  }));
  fc.assert(
    fc.property(
      fc.integer({ min: 30 * DAY_MS, max: 4e12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...statements),
      (now, share, { windowMs, inDays }) => {
        const time = now - Math.min(windowMs - 1, Math.floor(share * windowMs));
        assert.equal(inDays.get({ now, time })?.found, 1);
      },
    ),
    { numRuns: 500 },
  );
});
