import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeTimesAt, startOf, widthAt } from '../../core/counting/tally-resolution.ts';
import { courseOf, earlierOf, finishedOf, startsOf } from './overview-step.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const TIMES = mergeTimesAt(NOW);

const last = (ms: number) => courseOf(NOW - ms, NOW, TIMES);

// Short spans as often as long ones.
const longest = Math.log(1_095 * DAY);
const span = fc.double({ min: 0, max: longest, noNaN: true }).map((power) => Math.ceil(Math.exp(power)));
const ago = fc.integer({ min: 0, max: 30 * DAY });

test('the spans that people choose have steps that they know', () => {
  const steps = [HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY].map((ms) => last(ms).step);
  assert.deepEqual(steps, [30_000, HOUR, 2 * HOUR, 6 * HOUR, DAY, DAY]);
});

test('any span has at most some 120 whole steps, or the days of a year, each of whole buckets, and at least 60 where so many are kept', () => {
  fc.assert(
    fc.property(span, ago, (length, before) => {
      const to = NOW - before;
      const course = courseOf(to - length, to, TIMES);
      const starts = startsOf(course);
      const width = widthAt(to - length, TIMES);
      assert.ok(starts.length >= 1 && starts.length <= (course.step === DAY ? 372 : 122));
      assert.equal(course.step % width, 0);
      assert.ok(starts.length >= 60 || course.step === width);
      assert.ok(course.from <= to - length && course.from > to - length - course.step);
      assert.ok(course.to >= to && course.to < to + course.step);
      assert.equal(starts[0], startOf(course.from, course.step));
      assert.equal(course.to % course.step, 0);
    }),
  );
});

test('the period before has as many steps as are over, ends where the span begins, and consists of whole buckets', () => {
  fc.assert(
    fc.property(span, ago, (length, before) => {
      const course = courseOf(NOW - before - length, NOW - before, TIMES);
      const finished = finishedOf(course, NOW);
      const starts = startsOf(course);
      assert.equal(finished, starts.filter((at) => at + course.step <= NOW).length);
      const earlier = earlierOf(course, NOW, TIMES);
      if (earlier === undefined) return;
      assert.equal(earlier.to, course.from);
      assert.equal(startsOf(earlier).length, finished);
      for (const at of startsOf(earlier)) assert.equal(course.step % widthAt(at, TIMES), 0);
    }),
  );
});

test('a day is compared with the day before; two hours with nothing, as hours before them are kept whole', () => {
  const day = Date.UTC(2026, 10, 19, 12);
  assert.deepEqual(earlierOf(last(DAY), NOW, TIMES), { step: HOUR, from: day - DAY, to: day });
  assert.equal(earlierOf(last(2 * HOUR), NOW, TIMES), undefined);
  assert.equal(earlierOf(courseOf(NOW, NOW + HOUR, TIMES), NOW, TIMES), undefined, 'nothing of it is over');
});
