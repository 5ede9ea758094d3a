import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillSteps } from './steps.ts';

const MINUTE = 60_000;
const counted = {
  requested: 3,
  attempted: 3,
  submitted: 3,
  delivered: 2,
  undelivered: 0,
  failed: 0,
  confirmed: 1,
  cost: 0,
};

test('empty steps are zeros, in phase with the others', () => {
  const start = Date.parse('2026-11-20T12:00:30Z');
  const series = [{ at: new Date(start + 2 * MINUTE).toISOString(), funnel: counted }];
  const steps = fillSteps({ series, step: 60 }, { from: start - 1000, to: start + 4 * MINUTE });
  assert.deepEqual(
    steps.map(({ at, funnel }) => [(at - start) / MINUTE, funnel.requested]),
    [
      [0, 0],
      [1, 0],
      [2, 3],
      [3, 0],
      [4, 0],
    ],
  );
});
