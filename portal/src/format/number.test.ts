import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatChange,
  formatDuration,
  formatLatency,
  formatMoney,
  formatMoneyShort,
  formatPoints,
  formatRate,
  NONE,
} from './number.ts';

test('a share of nothing is no share', () => {
  assert.equal(formatRate(0, 0), NONE);
  assert.equal(formatRate(1, 3), '33.3%');
});

test('latency is shown in the unit that suits it', () => {
  assert.equal(formatLatency(null), NONE);
  assert.equal(formatLatency(84.4), '84 ms');
  assert.equal(formatLatency(2140), '2.1 s');
  assert.equal(formatLatency(41_000), '41 s');
  assert.equal(formatLatency(90_000), '1.5 min');
});

test('money is shown to the hundredth of the smallest coin, whatever its size, and without a currency as a plain figure', () => {
  assert.equal(formatMoney(0.0413, 'EUR'), '€0.0413');
  assert.equal(formatMoney(1234.5, 'GBP'), '£1,234.5000');
  assert.equal(formatMoney(0, 'EUR'), '€0.0000');
  assert.equal(formatMoney(1.5, 'credits'), '1.5000');
  assert.equal(formatMoney(12, 'JPY'), 'JP¥12.00');
  assert.equal(formatMoney(null, 'EUR'), NONE);
});

test('a change has a sign, and against nothing there is no change', () => {
  assert.equal(formatChange(9, 8), '+12.5%');
  assert.equal(formatChange(6, 8), '-25.0%');
  assert.equal(formatChange(8, 8), '0.0%');
  assert.equal(formatChange(8, 0), null);
  assert.equal(formatChange(79, 8), '+887.5%');
  assert.equal(formatChange(3_344, 8), '×418');
  assert.equal(formatPoints(0.8, 0.775), '+2.5 points');
});

test('money on an axis is short', () => {
  assert.deepEqual(
    [0, 0.05, 2, 1500].map((value) => formatMoneyShort(value, 'EUR')),
    ['€0', '€0.05', '€2', '€1.5k'],
  );
  assert.equal(formatMoneyShort(2, 'credits'), '2');
});

test('a duration has at most two units', () => {
  const minute = 60_000;
  assert.deepEqual(
    [61, 3_100, 9 * minute + 40_900, 60 * minute, 52 * 60 * minute + 5 * minute].map(formatDuration),
    ['61 ms', '3.1 s', '9 min 40 s', '1 h', '2 d 4 h'],
  );
});
