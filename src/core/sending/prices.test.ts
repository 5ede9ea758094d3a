import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countUnits, createPriceList, withFreeSimulator } from './prices.ts';

test("a country's price goes before the default, and none is not nothing", () => {
  const priceOf = createPriceList({
    a: { prices: { default: 0.05, DE: 0.0079 } },
    b: { prices: { US: 0 } },
    c: {},
  });
  assert.equal(priceOf('a', 'DE'), 7_900);
  assert.equal(priceOf('a', 'FR'), 50_000);
  assert.equal(priceOf('b', 'US'), 0);
  assert.equal(priceOf('b', 'DE'), undefined);
  assert.equal(priceOf('c', 'DE'), undefined);
});

test('an SMS is charged by its segments, a call once', () => {
  assert.equal(countUnits('sms', 'x'.repeat(160)), 1);
  assert.equal(countUnits('sms', 'x'.repeat(161)), 2);
  assert.equal(countUnits('sms', 'Ж'.repeat(71)), 2);
  assert.equal(countUnits('voice', 'x'.repeat(1_000)), 1);
});

test('the simulator is free, also where prices are configured for it', () => {
  const carriers = {
    fake: { type: 'simulator', prices: { default: 1 } },
    real: { type: 'http', prices: {} },
  };
  const priceOf = withFreeSimulator(createPriceList(carriers), carriers);
  assert.deepEqual([priceOf('fake', 'DE'), priceOf('real', 'DE')], [0, undefined]);
});
