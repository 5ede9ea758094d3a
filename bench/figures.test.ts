import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, quantile, ratioRow, renderSection } from './figures.ts';

test('the median of an even number of values lies between the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([9, 1, 5]), 5);
});

test('a quantile is one of the values, whatever their order', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(quantile(values, 0.5), 50);
  assert.equal(quantile(values, 0.99), 99);
  assert.equal(quantile([7], 0.99), 7);
});

test('a ratio meets its target by its median, and shows its range', () => {
  assert.deepEqual(ratioRow('confirm', [0.4, 0.9, 0.7], 0.6), {
    figure: 'confirm',
    value: '0.70',
    note: '0.40 to 0.90',
    target: '>= 0.6',
    met: true,
  });
  assert.equal(ratioRow('confirm', [0.4, 0.5, 0.7], 0.6).met, false);
});

test('a section is shown in columns, without a verdict where there is no target', () => {
  const rows = [
    { figure: 'a', value: '1,000', target: '< 2', met: false },
    { figure: 'longer', value: '2' },
  ];
  assert.equal(
    renderSection({ title: 'title', rows }),
    'title\n  a       1,000    < 2  MISSED\n  longer      2\n',
  );
});
