import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { DailyCap } from '../../core/sending/daily-cap.ts';
import {
  ACCEPTED,
  gateOf,
  hang,
  inTurn,
  messageWith,
  PERMANENT,
  scriptedCarrier,
  TEMPORARY,
} from '../fixture.ts';

const message = messageWith();

suite('gate: daily cap', () => {
  const capOf = (max: number) => {
    let used = 0;
    const quota = {
      takeQuota: async (_name: string, _day: number, _max: number, count: number) => {
        const got = Math.min(count, max - used);
        used += got;
        return got;
      },
      returnQuota: async () => {},
    };
    return new DailyCap(quota, 'c', max, SYSTEM_CLOCK);
  };

  test('if it is used up, the carrier is not asked', async () => {
    const carrier = scriptedCarrier('c', () => ACCEPTED);
    const { gate } = gateOf(carrier, { cap: capOf(2) });
    const results = await Promise.all([1, 2, 3].map(() => gate.submit(message)));
    const reached = { kind: 'passed', reason: 'daily cap reached' };
    assert.deepEqual(results, [ACCEPTED, ACCEPTED, reached]);
    assert.deepEqual(gate.submit(message), reached);
    assert.equal(carrier.submitted.length, 2);
  });

  test('a message that the carrier does not take gives its place back', async () => {
    const script = inTurn(TEMPORARY, PERMANENT, TEMPORARY, { kind: 'delivered' }, ACCEPTED);
    const { gate } = gateOf(scriptedCarrier('c', script), { cap: capOf(2) });
    const kinds = [];
    for (let i = 0; i < 6; i++) kinds.push((await gate.submit(message)).kind);
    assert.deepEqual(kinds, ['temporary', 'permanent', 'temporary', 'delivered', 'accepted', 'passed']);
  });

  test('a message that the carrier may have taken counts as taken', async () => {
    const crash = () => {
      throw new TypeError('a bug');
    };
    for (const script of [
      () => ({ ...TEMPORARY, unclear: true }),
      () => ({ ...TEMPORARY, link: 'lost' }) as const,
      hang,
      crash,
      () => Promise.reject(new TypeError('a bug')),
    ]) {
      const scripts = [script, inTurn(TEMPORARY), inTurn(ACCEPTED)];
      const carrier = scriptedCarrier('c', (...asked) => (scripts.shift() ?? crash)(...asked));
      const { gate } = gateOf(carrier, { cap: capOf(2), timeout: 20 });
      const kinds = [];
      for (let i = 0; i < 4; i++) kinds.push((await gate.submit(message)).kind);
      assert.deepEqual(kinds, ['temporary', 'temporary', 'accepted', 'passed']);
    }
  });

  test('a message that is not wanted or has timed out gives its place back', async () => {
    const { gate } = gateOf(
      scriptedCarrier('c', () => ACCEPTED),
      { cap: capOf(1) },
    );
    assert.deepEqual(await gate.submit(message, false, false), { kind: 'passed', reason: 'not wanted' });
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });

  test('if the place comes after the timeout, the carrier is not asked, and the place is given back', async () => {
    const carrier = scriptedCarrier('c', () => ACCEPTED);
    const place = Promise.withResolvers<number>();
    const cap = new DailyCap(
      { takeQuota: () => place.promise, returnQuota: async () => {} },
      'c',
      1,
      SYSTEM_CLOCK,
    );
    const { gate } = gateOf(carrier, { cap, timeout: 5 });
    const answer = gate.submit(message);
    await new Promise((resolve) => setTimeout(resolve, 20));
    place.resolve(1);
    assert.deepEqual(await answer, { kind: 'temporary', reason: 'deadline' });
    assert.deepEqual(carrier.submitted, []);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });

  test('if the store is unavailable, the carrier is not asked either', async () => {
    const away = () => Promise.reject(new StoreUnavailable('away'));
    const carrier = scriptedCarrier('c', () => ACCEPTED);
    const cap = new DailyCap({ takeQuota: away, returnQuota: away }, 'c', 5, SYSTEM_CLOCK);
    const { gate } = gateOf(carrier, { cap });
    assert.deepEqual(await gate.submit(message), { kind: 'passed', reason: 'store away' });
    assert.deepEqual(carrier.submitted, []);
  });
});
