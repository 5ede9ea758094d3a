import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOfInstant, formatAgo, formatMinute, formatOffset, formatSpan, instantOfField } from './time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test('how long ago, in the greatest unit that fits', () => {
  assert.equal(formatAgo('2026-11-20T11:59:30Z', NOW), '30 seconds ago');
  assert.equal(formatAgo('2026-11-20T09:00:00Z', NOW), '3 hours ago');
  assert.equal(formatAgo('2026-11-22T12:00:00Z', NOW), 'in 2 days');
  const long = new Date('2025-01-15T12:00:00Z');
  // On the day that it was where this runs.
  assert.ok(formatAgo(long.toISOString(), NOW).includes(`${long.getDate()} Jan 2025`));
});

test('an offset of a timeline', () => {
  assert.equal(formatOffset('2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.061Z'), '+61 ms');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:00:03.100Z'), '+3.1 s');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:02:05Z'), '+2 min 5 s');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:00:59.960Z'), '+1 min 0 s');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:01:59.700Z'), '+2 min 0 s');
});

test('a local field and its instant are two spellings of one time', () => {
  const at = '2026-06-20T12:30:00.000Z';
  assert.equal(instantOfField(fieldOfInstant(at)), at);
  assert.equal(instantOfField(''), null);
  assert.equal(fieldOfInstant(null), '');
});

test('how long something lasts, in its largest whole unit', () => {
  assert.deepEqual([30_000, 60_000, 90_000, 3_600_000, 86_400_000, 4 * 86_400_000].map(formatSpan), [
    '30 seconds',
    '1 minute',
    '90 seconds',
    '1 hour',
    '1 day',
    '4 days',
  ]);
});

test('a time in UTC is the same wherever it is read', () => {
  assert.equal(formatMinute('2026-11-20T12:00:00Z', 'utc'), '20 Nov 2026, 12:00');
});
