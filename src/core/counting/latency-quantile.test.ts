import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyQuantile } from './latency-quantile.ts';
import { LATENCY_BOUNDS } from './tally.ts';

const binsWith = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: LATENCY_BOUNDS.length + 1 }, (_, bin) => counts[bin] ?? 0);

test('of nothing there is no quantile', () => {
  assert.equal(latencyQuantile(binsWith({}), 0.5), undefined);
});

test('within a bin latencies count as spread evenly', () => {
  const bins = binsWith({ 5: 10 });
  assert.equal(latencyQuantile(bins, 0.5), 1_750);
  assert.equal(latencyQuantile(bins, 1), 2_500);
  assert.equal(latencyQuantile(binsWith({ 0: 2 }), 0.5), 25);
});

test('it is found in the bin where the share is reached', () => {
  const bins = binsWith({ 0: 50, 7: 45, 9: 5 });
  assert.equal(latencyQuantile(bins, 0.5), 50);
  assert.equal(latencyQuantile(bins, 0.95), 10_000);
  assert.equal(latencyQuantile(bins, 0.99), 28_000);
});

test('past the last bound nothing more is known', () => {
  assert.equal(latencyQuantile(binsWith({ 0: 1, 14: 9 }), 0.5), Number.POSITIVE_INFINITY);
});
