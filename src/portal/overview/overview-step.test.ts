import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeTimesAt, startOf, widthAt } from '../../core/counting/tally-resolution.ts';
import { courseOf, startsOf } from './overview-step.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const TIMES = mergeTimesAt(NOW);

const last = (ms: number) => courseOf(NOW - ms, NOW, TIMES);

test('the spans that people choose have steps that they know', () => {
  const steps = [HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY].map((span) => last(span).step);
  assert.deepEqual(steps, [30_000, HOUR, 2 * HOUR, 6 * HOUR, DAY, 4 * DAY]);
});

test('any span has at most some 120 steps, each of whole buckets, and at least 60 where so many are kept', () => {
  // Short spans as often as long ones.
  const longest = Math.log(1_095 * DAY);
  const span = fc.double({ min: 0, max: longest, noNaN: true }).map((power) => Math.ceil(Math.exp(power)));
  fc.assert(
    fc.property(span, fc.integer({ min: 0, max: 30 * DAY }), (length, ago) => {
      const to = NOW - ago;
      const course = courseOf(to - length, to, TIMES);
      const starts = startsOf(course);
      const width = widthAt(to - length, TIMES);
      assert.ok(starts.length >= 1 && starts.length <= 122);
      assert.equal(course.step % width, 0);
      assert.ok(starts.length >= 60 || course.step === width);
      assert.ok(course.from <= to - length && course.from > to - length - width);
      assert.ok(course.to >= to);
      assert.equal(starts[0], startOf(course.from, course.step));
    }),
  );
});
