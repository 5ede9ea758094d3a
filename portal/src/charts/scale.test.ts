import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaPath, atOf, linePath, nearest, xOf } from './scale.ts';

const frame = { width: 100, height: 50, from: 0, to: 1000, max: 10 };
const points = [
  { at: 0, value: 0 },
  { at: 500, value: 10 },
  { at: 1000, value: 5 },
];

test('lines and areas stay within the frame', () => {
  assert.equal(linePath(points, frame), 'M0.0 50.0L50.0 0.0L100.0 25.0');
  assert.equal(areaPath(points, frame), 'M0.0 50.0L50.0 0.0L100.0 25.0L100.0 50L0.0 50Z');
  assert.equal(areaPath([], frame), '');
});

test('a line has a gap where there is no value, and a lonely value is a dot', () => {
  const gap = [{ at: 0, value: 5 }, { at: 250, value: null }, ...points.slice(1)];
  assert.equal(linePath(gap, frame), 'M0.0 25.0h0M50.0 0.0L100.0 25.0');
});

test('a place on the chart is an instant; outside the chart it is the nearest edge', () => {
  assert.equal(atOf(xOf(730, frame), frame), 730);
  assert.equal(atOf(-20, frame), 0);
  assert.equal(atOf(500, frame), 1000);
});

test('the nearest point', () => {
  assert.equal(nearest(points, 480), 1);
  assert.equal(nearest(points, 900), 2);
});
