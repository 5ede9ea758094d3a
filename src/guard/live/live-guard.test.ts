import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../core/clock-fixture.ts';
import type { Guarded, Typed } from '../../core/verification/sentry.ts';
import { Guard } from '../guard.ts';
import type { OperatorRule } from '../rules.ts';
import { LiveGuard } from './live-guard.ts';

const NUMBER = '+212661234567';
/** More codes than a number gets that confirms none. */
const MANY = 20;

const from: Typed = {
  caller: { keyId: 'key', accountId: 'acme', test: false },
  country: 'MA',
  clientNetwork: null,
  isEvidence: true,
};
const to = (isEvidence: boolean): Guarded => ({
  ...from,
  channel: 'sms',
  destination: { address: NUMBER, kind: 'e164', country: 'MA' },
  route: { channel: 'sms', carriers: ['smsc'] },
  isEvidence,
});

function createLive(rules: readonly OperatorRule[] = []): LiveGuard {
  const clock = createManualClock();
  return new LiveGuard({
    ...{ guard: new Guard({ origin: clock.now(), rules }), clock, mode: 'enforce', exempt: new Set() },
    numberOf: (address) => `hash of ${address}`,
    onPass: () => {},
    onRefusal: () => {},
  });
}

/** How many of as many requests at once pass. */
const passed = (live: LiveGuard, isEvidence: boolean) =>
  Array.from({ length: MANY }, () => live.judge(to(isEvidence)).passes).filter(Boolean).length;

test('what is no evidence is sent also where the evidence refuses', () => {
  const live = createLive();
  assert.ok(passed(live, true) < MANY);
  assert.equal(passed(live, false), MANY);
  assert.equal(live.judge(to(true)).passes, false);
});

test('what is no evidence counts nowhere', () => {
  const live = createLive();
  assert.equal(passed(live, false), MANY);
  for (let i = 0; i < MANY; i++) live.mismatched({ ...from, isEvidence: false });
  assert.equal(passed(live, true), passed(createLive(), true));
});

test("the operator's rules are for what is no evidence, too", () => {
  const rule = { of: 'number', value: `hash of ${NUMBER}`, reason: 'a complaint' } as const;
  assert.equal(createLive([{ ...rule, action: 'deny' }]).judge(to(false)).passes, false);
});
