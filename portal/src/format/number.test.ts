import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLatency, formatMoney, formatRate, NONE } from './number.ts';

test('a share of nothing is no share', () => {
  assert.equal(formatRate(0, 0), NONE);
  assert.equal(formatRate(1, 3), '33.3%');
});

test('latency is told in the unit that suits it', () => {
  assert.equal(formatLatency(null), NONE);
  assert.equal(formatLatency(84.4), '84 ms');
  assert.equal(formatLatency(2140), '2.1 s');
  assert.equal(formatLatency(41_000), '41 s');
  assert.equal(formatLatency(90_000), '1.5 min');
});

test('money is told to the hundredth of the smallest coin, whatever its size, and without a code as a plain figure', () => {
  assert.equal(formatMoney(0.0413, 'EUR'), '€0.0413');
  assert.equal(formatMoney(1234.5, 'GBP'), '£1,234.5000');
  assert.equal(formatMoney(0, 'EUR'), '€0.0000');
  assert.equal(formatMoney(1.5, 'credits'), '1.5000');
  assert.equal(formatMoney(12, 'JPY'), 'JP¥12.00');
  assert.equal(formatMoney(null, 'EUR'), NONE);
});
