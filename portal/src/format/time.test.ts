import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOfInstant, formatAgo, formatOffset, instantOfField } from './time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test('how long ago, in the greatest unit that fits', () => {
  assert.equal(formatAgo('2026-11-20T11:59:30Z', NOW), '30 seconds ago');
  assert.equal(formatAgo('2026-11-20T09:00:00Z', NOW), '3 hours ago');
  assert.equal(formatAgo('2026-11-22T12:00:00Z', NOW), 'in 2 days');
  assert.match(formatAgo('2025-01-01T12:00:00Z', NOW), /1 Jan 2025/);
});

test('an offset of a timeline', () => {
  assert.equal(formatOffset('2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.061Z'), '+61 ms');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:00:03.100Z'), '+3.1 s');
  assert.equal(formatOffset('2026-11-20T12:00:00Z', '2026-11-20T12:02:05Z'), '+2 min 5 s');
});

test('a local field and its instant are two spellings of one time', () => {
  const at = '2026-06-20T12:30:00.000Z';
  assert.equal(instantOfField(fieldOfInstant(at)), at);
  assert.equal(instantOfField(''), null);
  assert.equal(fieldOfInstant(null), '');
});
