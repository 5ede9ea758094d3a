import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDays } from './days.ts';

test('the thirty days end today, and include those without a figure', () => {
  const day = { day: '2026-11-20T00:00:00.000Z', refused: 5, observed: 0, saved: 0.1 };
  const days = lastDays([day], Date.parse('2026-11-22T23:59:00Z'));
  assert.equal(days.length, 30);
  assert.deepEqual(days.at(-1), { at: Date.parse('2026-11-22T00:00:00Z'), day: undefined });
  assert.deepEqual(days.at(-3), { at: Date.parse(day.day), day });
});
