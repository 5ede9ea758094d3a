import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { DAY_MS, HOUR_MS } from '../core/seams/spans.ts';
import { DEMO_CARRIERS } from './carriers.ts';
import { DEMO_COUNTRIES, UNWANTED } from './countries.ts';
import { attackOf, isDuring, outageOf } from './times.ts';
import { type PlannedCode, planWeek } from './week.ts';

const NOW = Date.UTC(2026, 10, 25, 15, 20);
const WEEK = planWeek(NOW, 5);
const people = WEEK.filter(({ at, country }) => country !== 'ID' || !isDuring(attackOf(NOW), at));

const isConfirmed = ({ guesses }: PlannedCode) => guesses.some(({ isRight }) => isRight);
const conversion = (codes: readonly PlannedCode[]) => codes.filter(isConfirmed).length / codes.length;
const carriedBy = (name: string) => people.filter(({ attempts }) => attempts.at(-1)?.carrier === name);
const of = (country: string) => people.filter((code) => code.country === country);

suite('the week of the demo', () => {
  test('is the same for the same moment, and a week later the same a week later', () => {
    assert.deepEqual(planWeek(NOW, 5), WEEK);
    const later = planWeek(NOW + 7 * DAY_MS, 5);
    assert.deepEqual(
      later.map(({ at, number }) => [at - 7 * DAY_MS, number]),
      WEEK.map(({ at, number }) => [at, number]),
    );
  });

  test('ends now, in order of time, and nothing of it is still to come', () => {
    const times = WEEK.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted());
    assert.ok((times[0] ?? 0) >= NOW - 8 * DAY_MS);
    const latest = WEEK.flatMap(({ attempts, guesses, cancelledAt = 0 }) => [
      ...attempts.flatMap(({ endedAt, receipt }) => [endedAt, receipt?.at ?? 0]),
      ...guesses.map(({ at }) => at),
      cancelledAt,
    ]);
    assert.ok(Math.max(...latest) <= NOW);
  });

  test('goes to nobody’s number: where no regulator set any aside, the plan of the country has none', () => {
    for (const country of ['ES', 'BR', 'ID']) {
      const numbers = WEEK.filter((code) => code.country === country).map(({ number }) => number);
      assert.ok(numbers.length > 0);
      assert.deepEqual(
        numbers.filter((number) => parsePhoneNumberFromString(number)?.isValid() ?? false),
        [],
      );
    }
  });

  test('goes to all countries, over all carriers, by both channels, and to nobody who does not want it', () => {
    assert.ok(WEEK.length > 3_000 && WEEK.length < 6_000, `${WEEK.length} codes`);
    assert.deepEqual(
      new Set(WEEK.map(({ country }) => country)),
      new Set(DEMO_COUNTRIES.map(({ code }) => code)),
    );
    for (const name of Object.keys(DEMO_CARRIERS)) assert.ok(carriedBy(name).length > 200, name);
    const unwanted: readonly string[] = UNWANTED;
    assert.ok(WEEK.every(({ number }) => !unwanted.includes(number) && /^\+\d{10,14}$/.test(number)));
  });

  test('is confirmed as codes are: worse in one country, and over one carrier', () => {
    const whole = conversion(people);
    assert.ok(whole > 0.8 && whole < 0.9, `${whole}`);
    assert.ok(conversion(of('BR')) < whole - 0.15);
    assert.ok(conversion(carriedBy('meridian')) < conversion(carriedBy('northwind')) - 0.08);
    assert.ok(WEEK.some(({ guesses }) => guesses.length === 5 && guesses.every(({ isRight }) => !isRight)));
    assert.ok(WEEK.some(({ cancelledAt }) => cancelledAt !== undefined));
  });

  test('is quieter at night and on days off', () => {
    const there = people.filter(({ country }) => country === 'DE').map(({ at }) => new Date(at + HOUR_MS));
    const between = (from: number, to: number) =>
      there.filter((at) => at.getUTCHours() >= from && at.getUTCHours() < to).length;
    assert.ok(between(1, 5) * 4 < between(17, 21));
    const off = there.filter((at) => at.getUTCDay() % 6 === 0).length / 2;
    assert.ok(off < (there.length - 2 * off) / 5);
  });

  test('has an evening on which most messages go on to the next carrier, with the first one’s reasons', () => {
    const outage = people.filter(({ at, attempts }) => {
      return isDuring(outageOf(NOW), at) && attempts[0]?.carrier === 'northwind';
    });
    const went = outage.filter(({ attempts }) => attempts[0]?.outcome === 'temporary');
    assert.ok(went.length > outage.length / 2);
    for (const { attempts } of went) assert.match(attempts[0]?.reason ?? '', /^ESME_R/);
    assert.ok(went.some(({ attempts }) => attempts[1]?.carrier === 'meridian'));
  });
});
