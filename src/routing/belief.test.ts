import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cohort, expectationOf, findChange, learnBelief } from './belief.ts';

const PRIOR = { mean: 0.8, trials: 2 };
const cohort = (sent: number, confirmed: number, share = 1): Cohort => ({
  sent,
  confirmed,
  share,
  weight: 1,
});

test('without data the belief is the prior', () => {
  assert.deepEqual(learnBelief([], PRIOR, 1), { alpha: 1.6, beta: 0.3999999999999999, sent: 0 });
});

test('a code that cannot have been confirmed yet is not a failure', () => {
  const open = learnBelief([cohort(100, 20, 0.2)], PRIOR, 1);
  assert.ok(expectationOf(open) > 0.9);
  assert.equal(open.sent, 100);
  const silent = learnBelief([cohort(100, 0, 0.2)], PRIOR, 1);
  assert.ok(expectationOf(silent) < 0.1);
});

test('older cohorts count less', () => {
  const [good, bad] = [cohort(10, 9), cohort(10, 5)];
  const recentlyGood = learnBelief([good, { ...bad, weight: 0.1 }], PRIOR, 1);
  const recentlyBad = learnBelief([bad, { ...good, weight: 0.1 }], PRIOR, 1);
  assert.ok(expectationOf(recentlyGood) > expectationOf(recentlyBad));
});

test('a carrier that goes silent is judged by its silence, not by its past', () => {
  const past = Array.from({ length: 300 }, () => cohort(20, 18));
  assert.equal(findChange(past), 300);
  assert.equal(findChange([cohort(20, 0), ...past]), 1);
  assert.ok(expectationOf(learnBelief([cohort(20, 0), ...past], PRIOR, 1)) < 0.2);
});

test('a carrier that delivers again is judged by that', () => {
  const silence = Array.from({ length: 30 }, () => cohort(5, 0));
  assert.equal(findChange([cohort(20, 18), ...silence]), 1);
});

test('confirmations that are slower than expected are not a change', () => {
  const past = Array.from({ length: 300 }, () => cohort(2_000, 1_800));
  assert.equal(findChange([cohort(2_000, 300, 0.2), ...past]), 301);
  assert.equal(findChange([cohort(2_000, 0, 0.2), ...past]), 1);
});

test('a steady carrier rarely seems to change', () => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let changes = 0;
  for (let i = 0; i < 200; i++) {
    const cohorts = Array.from({ length: 100 }, () => {
      const confirmed = Array.from({ length: 20 }, random).filter((each) => each < 0.9).length;
      return cohort(20, confirmed);
    });
    if (findChange(cohorts) < 100) changes++;
  }
  assert.ok(changes <= 4, `${changes} of 200`);
});

test('both sides of a belief stay above zero, whatever was counted', () => {
  const any: fc.Arbitrary<Cohort> = fc.record({
    sent: fc.integer({ min: 1, max: 1_000 }),
    confirmed: fc.integer({ min: 0, max: 1_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(any, { maxLength: 20 }),
      fc.double({ min: 0.9, max: 1, noNaN: true }),
      (cohorts, worth) => {
        const { alpha, beta } = learnBelief(cohorts, PRIOR, worth);
        assert.ok(alpha > 0 && beta > 0 && Number.isFinite(alpha + beta));
      },
    ),
  );
});
