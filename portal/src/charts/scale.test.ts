import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaPath, atOf, linePath, nearest, niceCeiling, xOf } from './scale.ts';

const frame = { width: 100, height: 50, from: 0, to: 1000, max: 10 };
const points = [
  { at: 0, value: 0 },
  { at: 500, value: 10 },
  { at: 1000, value: 5 },
];

test('the axis ends on a round number that holds the greatest', () => {
  assert.deepEqual([0, 4, 7, 41, 99, 101, 8001].map(niceCeiling), [4, 4, 8, 50, 100, 200, 10_000]);
});

test('lines and areas stay within the frame', () => {
  assert.equal(linePath(points, frame), 'M0.0 50.0L50.0 0.0L100.0 25.0');
  assert.equal(areaPath(points, frame), 'M0.0 50.0L50.0 0.0L100.0 25.0L100.0 50L0.0 50Z');
  assert.equal(areaPath([], frame), '');
});

test('a place on the chart is an instant, and one outside it the nearest edge', () => {
  assert.equal(atOf(xOf(730, frame), frame), 730);
  assert.equal(atOf(-20, frame), 0);
  assert.equal(atOf(500, frame), 1000);
});

test('the nearest point', () => {
  assert.equal(nearest(points, 480), 1);
  assert.equal(nearest(points, 900), 2);
});
