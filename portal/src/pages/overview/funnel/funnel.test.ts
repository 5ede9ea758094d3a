import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginOf, costOfEach, stagesOf, withoutReceipt } from './funnel.ts';

const funnel = {
  ...{ requested: 20, attempted: 25, submitted: 18, delivered: 10, undelivered: 2 },
  ...{ failed: 1, confirmed: 9, cost: 4.5 },
};
const ofCarrier = { ...funnel, requested: null, failed: null };
const silent = { ...ofCarrier, delivered: 0, undelivered: 0 };
const told = (of: typeof funnel | typeof ofCarrier) =>
  stagesOf(of).map(({ count, of: whole }) => [count, whole]);

test('an account’s stages are shares of what was requested', () => {
  assert.deepEqual(beginOf(funnel), { name: 'Requested', count: 20 });
  assert.deepEqual(told(funnel), [
    [18, 20],
    [10, 20],
    [9, 20],
  ]);
});

test('a carrier starts with its attempts, and later stages are shares of those it accepted', () => {
  assert.deepEqual(beginOf(ofCarrier), { name: 'Attempts', count: 25 });
  assert.deepEqual(told(ofCarrier), [
    [18, 25],
    [10, 18],
    [9, 18],
  ]);
});

test('without receipts nobody knows how much was delivered', () => {
  assert.equal(stagesOf(silent)[1]?.count, null);
  assert.equal(withoutReceipt(silent), null);
  assert.equal(withoutReceipt(ofCarrier), 6);
  assert.equal(stagesOf({ ...silent, submitted: 0 })[1]?.count, 0);
});

test('without a confirmation there is no cost of one', () => {
  assert.equal(costOfEach(funnel), 0.5);
  assert.equal(costOfEach({ ...funnel, confirmed: 0 }), null);
});
