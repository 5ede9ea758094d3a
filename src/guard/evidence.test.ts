import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { conversionNow, conversionOdds, explainedAt, judgePlace, logOdds } from './evidence.ts';
import { HOUR, START } from './fixture.ts';
import { memoryOf, Place } from './memory/place.ts';
import { KINDS } from './parameters.ts';

const counts = fc.double({ min: 0, max: 1e5, noNaN: true });

function placeWith(trials: number, confirmed: number, days = { trials, confirmed }): Place {
  const place = new Place();
  place.clear(START);
  place.slot = 0;
  place.bornAt = START - 72 * HOUR;
  place.trials.splice(0, 3, trials, trials, days.trials);
  place.confirmed.splice(0, 3, confirmed, confirmed, days.confirmed);
  return place;
}

function oddsAt(kind: keyof typeof KINDS, place: Place, baseline: number): number {
  return judgePlace(place, baseline, KINDS[kind], {
    conversion: 0,
    odds: 0,
    scale: 0,
    unconfirmed: 0,
    explained: 0,
  }).odds;
}

suite('log odds', () => {
  test('are never negative, and grow with what is not explained', () => {
    fc.assert(
      fc.property(counts, counts, fc.integer({ min: 1, max: 100 }), (unconfirmed, explained, k) => {
        const odds = logOdds(unconfirmed, explained + 0.1, k);
        assert.ok(odds >= 0 && odds <= logOdds(unconfirmed + 1, explained + 0.1, k) + 1e-6);
        assert.ok(odds + 1e-6 >= logOdds(unconfirmed, explained + 1.1, k));
      }),
    );
  });

  test('of a negative binomial: 6 where half of one is explained', () => {
    assert.ok(Math.abs(logOdds(6, 0.5, 16) - (6 * Math.log(12) - 22 * Math.log(22 / 16.5))) < 1e-9);
  });

  test('of the conversion are 0 where as many confirm as usual, and 8 silent of 8 are nothing in a poor country', () => {
    assert.equal(conversionOdds(25, 75, 0.75), 0);
    assert.ok(Math.abs(conversionOdds(8, 0, 0.3) - 8 * Math.log(1 / 0.7)) < 1e-9);
    assert.ok(conversionOdds(8, 0, 0.75) > 11);
  });
});

suite('what explains silence', () => {
  test('the people who never type a code, as many as go with those who do', () => {
    assert.equal(explainedAt(placeWith(40, 30), 0, 0.75, 0, 2).toFixed(6), '12.000000');
  });

  test('an outage, by the usual volume and no more', () => {
    const rate = 60 / HOUR;
    const silent = explainedAt(placeWith(0, 0), 1, 0.75, rate, 0);
    assert.ok(Math.abs(silent - rate * memoryOf(1)) < 1e-6);
    assert.equal(explainedAt(placeWith(1e4, 1e4), 1, 0.75, rate, 0).toFixed(3), (1e4 / 3).toFixed(3));
  });

  test('an outage of the rest of the country, unless more came than usual', () => {
    const baseline = { trials: 4_000, confirmed: 3_000 };
    const nobody = placeWith(0, 0);
    const silent = conversionNow(placeWith(8, 0, baseline), nobody, 0.75);
    assert.ok(silent < 0.4, `${silent}`);
    assert.equal(conversionNow(placeWith(80, 0, baseline), nobody, 0.75), 0.75);
  });
});

test('a hurried block of numbers must convert near normal, a whole country may be poor', () => {
  assert.ok(oddsAt('range3', placeWith(100, 20), 0.75) > 7);
  assert.ok(oddsAt('country', placeWith(100, 40), 0.75) < 7);
  assert.equal(oddsAt('country', placeWith(100, 75), 0.75), 0);
});
