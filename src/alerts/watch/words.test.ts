import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from './words.ts';

test('an amount that is something is never written as nothing', () => {
  for (const [millionths, text] of [
    [0, '0.00 EUR'],
    [1, '0.000001 EUR'],
    [40, '0.000040 EUR'],
    [4_250, '0.0043 EUR'],
    [9_999, '0.0100 EUR'],
    [10_000, '0.01 EUR'],
    [1_234_567, '1.23 EUR'],
    [9_000_000_000_000, '9000000.00 EUR'],
  ] as const)
    assert.equal(formatMoney(millionths, 'EUR'), text);
});
