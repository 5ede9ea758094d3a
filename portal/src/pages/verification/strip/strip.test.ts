import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { VerificationDetail } from '#contract/verifications.ts';
import { lanesOf, momentsOf, placesOf, wrongCodes } from './strip.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number) => new Date(START + ms).toISOString();

const attempt: VerificationDetail['attempts'][number] = {
  carrier: 'smsc',
  channel: 'sms',
  choice: null,
  started_at: at(2),
  ms: 60,
  outcome: 'temporary',
  reason: null,
  cost: 0,
  receipt: null,
};

const detail: VerificationDetail = {
  verification: {
    ...{ id: 'ver_1', destination: '+44••••23', channel: 'sms', country: 'GB', test: false },
    ...{
      status: 'confirmed',
      carrier: 'gateway',
      carriers_asked: ['gateway'],
      key: { id: 'key_1', name: 'Checkout' },
    },
    ...{ requested_at: at(0), confirmed_at: at(20_000) },
  },
  ...{ expires_at: at(600_000), guesses_left: 2, guesses_used: 3, verdict: null, metadata: {} },
  device: { platform: null, app_version: null, network: null },
  attempts: [
    attempt,
    {
      ...attempt,
      carrier: 'gateway',
      started_at: at(70),
      outcome: 'accepted',
      receipt: { status: 'delivered', reason: null, at: at(90_000_000), price: null, network: null },
    },
  ],
};

test('each party has a lane, with a late receipt on its carrier’s', () => {
  const told = lanesOf(detail, START).map(({ name, bars, marks }) => [
    name,
    bars.map(({ text, to, at: from }) => `${text} ${to - from}`),
    marks.map(({ text, at: when }) => `${text} ${when - START}`),
  ]);
  assert.deepEqual(told, [
    ['Your application', [], ['Requested 0']],
    ['smsc, SMS', ['not accepted just then 60'], []],
    ['gateway, SMS', ['accepted 60'], ['Receipt: delivered 90000000']],
    ['Person, wrong codes: 2', [], ['Confirmed 20000']],
  ]);
});

test('what was taken back is no receipt', () => {
  const receipt = {
    status: 'undelivered',
    reason: 'taken-back',
    at: at(90),
    price: null,
    network: null,
  } as const;
  const [, lane] = lanesOf({ ...detail, attempts: [{ ...attempt, receipt }] }, START);
  assert.deepEqual(
    lane?.marks.map(({ text }) => text),
    ['Taken back'],
  );
});

test('a carrier that was asked on two channels has a lane for each', () => {
  const call = { ...attempt, channel: 'voice' as const, started_at: at(20_000) };
  const names = lanesOf({ ...detail, attempts: [attempt, call] }, START).map(({ name }) => name);
  assert.deepEqual(names.slice(1, 3), ['smsc, SMS', 'smsc, Voice']);
});

test('in a confirmed verification the last guess was right; in any other, none was', () => {
  const open = { ...detail, verification: { ...detail.verification, confirmed_at: null } };
  assert.deepEqual([wrongCodes(detail), wrongCodes(open)], [2, 3]);
  assert.equal(wrongCodes({ ...detail, guesses_used: 0 }), 0);
});

test('an expiry shows only once it has passed', () => {
  const open = { ...detail, verification: { ...detail.verification, confirmed_at: null } };
  const marks = (now: number) =>
    lanesOf(open, now)
      .at(-1)
      ?.marks.map(({ text }) => text);
  assert.deepEqual(marks(START + 599_999), []);
  assert.deepEqual(marks(START + 600_000), ['Expired']);
});

test('milliseconds and days are in order on one strip, and none is too small to see', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 3 * 86_400_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(gaps, (lengths) => {
      const moments = [START];
      for (const ms of lengths) moments.push((moments.at(-1) ?? START) + ms);
      const places = [...placesOf(moments).values()];
      assert.equal(places[0], 0);
      assert.ok(Math.abs((places.at(-1) ?? 0) - 1) < 1e-9);
      for (const [index, place] of places.slice(1).entries()) {
        assert.ok(place - (places[index] ?? 0) > 0.008, 'at least a hundredth or so of the strip');
      }
    }),
  );
});

test('something that took no time is at one place', () => {
  assert.deepEqual([...placesOf([START]).values()], [0]);
  assert.deepEqual(momentsOf(lanesOf(detail, START)).length, 7);
});
