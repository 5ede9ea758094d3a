import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import type { GuardedRequest, TypedCode } from '../../core/verification/guard-port.ts';
import { Guard } from '../guard.ts';
import type { OperatorRule } from '../rules.ts';
import { LiveGuard } from './live-guard.ts';

const NUMBER = '+212661234567';
/** More codes than a number gets that confirms none. */
const MANY = 20;

const from: TypedCode = {
  caller: { keyId: 'key', accountId: 'acme', test: false },
  country: 'MA',
  clientNetwork: null,
  isEvidence: true,
};
const to = (judged: GuardedRequest['judged']): GuardedRequest => ({
  ...from,
  channel: 'sms',
  destination: { address: NUMBER, kind: 'e164', country: 'MA' },
  route: { channel: 'sms', carriers: ['smsc'] },
  judged,
});

function createLive(
  rules: readonly OperatorRule[] = [],
  rest: Partial<ConstructorParameters<typeof LiveGuard>[0]> = {},
): LiveGuard {
  const clock = createManualClock();
  return new LiveGuard({
    ...{ guard: new Guard({ origin: clock.now(), rules }), clock, mode: 'enforce', exempt: new Set() },
    numberOf: (address) => `hash of ${address}`,
    onPass: () => {},
    onRefusal: () => {},
    ...rest,
  });
}

/** How many of as many requests at once pass. */
const passed = (live: LiveGuard, judged: GuardedRequest['judged']) =>
  Array.from({ length: MANY }, () => live.judge(to(judged)).passes).filter(Boolean).length;

test('what is no evidence is sent also where the evidence refuses', () => {
  const live = createLive();
  assert.ok(passed(live, 'by-all') < MANY);
  assert.equal(passed(live, 'by-rules'), MANY);
  assert.equal(live.judge(to('by-all')).passes, false);
});

test('what is no evidence counts nowhere', () => {
  const live = createLive();
  assert.equal(passed(live, 'by-rules'), MANY);
  for (let i = 0; i < MANY; i++) live.mismatched({ ...from, isEvidence: false });
  assert.equal(passed(live, 'by-all'), passed(createLive(), 'by-all'));
});

test("the operator's rules are for what is no evidence, too", () => {
  const rule = { of: 'number', value: `hash of ${NUMBER}`, reason: 'a complaint' } as const;
  for (const judged of ['as-brought', 'by-rules'] as const)
    assert.equal(createLive([{ ...rule, action: 'deny' }]).judge(to(judged)).passes, false);
});

test('a rule about an address holds for whoever asks from there', () => {
  const rule = { action: 'deny', of: 'address', value: 'hash of a network', reason: 'a robot' } as const;
  const live = createLive([rule]);
  for (const judged of ['by-all', 'as-brought', 'by-rules'] as const) {
    const passesFrom = (clientNetwork: string | null) => live.judge({ ...to(judged), clientNetwork }).passes;
    assert.deepEqual(['hash of a network', 'hash of another', null].map(passesFrom), [false, true, true]);
  }
});

test('where the guard only observes, everything is sent, and what it would refuse is noted', () => {
  const enforced: boolean[] = [];
  const live = createLive([], { mode: 'observe', onRefusal: (refusal) => enforced.push(refusal.enforced) });
  const verdicts = Array.from({ length: MANY }, () => live.judge(to('by-all')));
  for (const verdict of verdicts) {
    assert.ok(verdict.passes);
    verdict.written();
  }
  assert.deepEqual(new Set(enforced), new Set([false]));
});

test("the operator's rules hold in every mode, because they are decisions and not guesses", () => {
  for (const mode of ['enforce', 'observe', 'off'] as const) {
    const enforced: boolean[] = [];
    const rule = { action: 'deny', of: 'country', value: 'MA', reason: 'pumped' } as const;
    const live = createLive([rule], { mode, onRefusal: (refusal) => enforced.push(refusal.enforced) });
    for (const judged of ['by-all', 'as-brought', 'by-rules'] as const) {
      const verdict = live.judge(to(judged));
      assert.equal(verdict.passes, false, `${mode}, ${judged}`);
      if (!verdict.passes) verdict.refused();
      assert.deepEqual(enforced.splice(0), [true]);
    }
  }
});

test('what is only observed is not noted of a repetition, nor of what something else refuses', () => {
  const noted: string[] = [];
  for (const judged of ['by-all', 'as-brought'] as const) {
    const live = createLive([], { mode: 'observe', onRefusal: () => noted.push(judged) });
    for (const verdict of Array.from({ length: MANY }, () => live.judge(to(judged)))) {
      if (verdict.passes) verdict.written();
    }
    assert.ok(noted.splice(0).length > 0, judged);
    const [repetition, request] = [live.judge(to(judged)), live.judge(to(judged))];
    assert.ok(repetition.passes && request.passes);
    repetition.notWritten();
    assert.deepEqual(noted, [], judged);
    request.written();
    assert.deepEqual(noted.splice(0), [judged]);
  }
});

test('a confirmation of what is no evidence vouches for no place', () => {
  const clock = createManualClock();
  const guard = new Guard({ origin: clock.now() });
  const live = createLive([], { guard, clock });
  const confirmedAt = (isEvidence: boolean, address: string) => {
    live.confirmed({ ...from, isEvidence }, address);
    const ask = { at: live.now(), account: 'acme', key: 'key', country: 'MA' };
    const { places } = guard.explain({ ...ask, number: '', destination: NUMBER });
    return places.some(({ confirmed }) => confirmed.some((count) => count > 0));
  };
  assert.equal(confirmedAt(false, NUMBER), false);
  assert.equal(confirmedAt(true, '+212661234568'), true);
});

test('who was refused counts as bombed once the refusal stands', () => {
  const live = createLive();
  const as = (accountId: string) => ({ ...to('by-all'), caller: { ...from.caller, accountId } });
  assert.ok(live.judge(as('acme')).passes);
  const other = live.judge(as('globex'));
  assert.ok(!other.passes);
  assert.ok(live.judge(as('acme')).passes, 'the other may have been a repetition');
  other.refused();
  assert.equal(live.judge(as('acme')).passes, false);
});

test('codes that the client brings are stopped at one range, as others are, and count nowhere else', () => {
  const stopped = (live: LiveGuard, judged: GuardedRequest['judged']) =>
    Array.from({ length: 100 }, (_, index) => {
      const address = `+2126612347${String(index).padStart(2, '0')}`;
      const verdict = live.judge({
        ...to(judged),
        destination: { address, kind: 'e164', country: 'MA' },
      });
      if (verdict.passes) verdict.written();
      else verdict.refused();
      return verdict.passes;
    }).filter(Boolean).length;
  const live = createLive();
  assert.equal(stopped(live, 'as-brought'), 10);
  assert.equal(stopped(live, 'by-all'), 10);
});

test('a code that the client brings and that is refused makes no number bombed', () => {
  const live = createLive();
  const as = (judged: GuardedRequest['judged'], accountId: string) =>
    live.judge({ ...to(judged), caller: { ...from.caller, accountId } });
  assert.ok(as('by-all', 'acme').passes);
  const other = as('as-brought', 'globex');
  assert.ok(!other.passes);
  other.refused();
  assert.ok(as('by-all', 'acme').passes);
});

test('each account may have its own mode, and while it is off nothing is learnt from it', () => {
  const clock = createManualClock();
  const guard = new Guard({ origin: clock.now() });
  const passesUnder = (mode: 'off' | 'observe' | 'enforce', own: typeof mode | null) => {
    const settings = { ...NO_SETTINGS, guard: own };
    const live = createLive([], { guard, clock, mode });
    const caller = { ...from.caller, settings };
    const count = Array.from({ length: MANY }, () => live.judge({ ...to('by-all'), caller }).passes);
    return { passed: count.filter(Boolean).length, live, caller };
  };
  for (const [mode, own] of [
    ['enforce', 'off'],
    ['off', null],
  ] as const) {
    const { passed, live, caller } = passesUnder(mode, own);
    assert.equal(passed, MANY);
    live.mismatched({ ...from, caller });
    live.confirmed({ ...from, caller }, NUMBER);
    const ask = {
      at: live.now(),
      account: 'acme',
      key: 'key',
      country: 'MA',
      number: '',
      destination: NUMBER,
    };
    const { places } = guard.explain(ask);
    assert.ok(places.every(({ sent, confirmed }) => [...sent, ...confirmed].every((each) => each === 0)));
  }
  assert.equal(passesUnder('enforce', 'observe').passed, MANY);
  assert.equal(passesUnder('off', 'enforce').passed, 0, 'what was observed counts');
});

test('another configuration changes the mode and the routes that are left alone, and forgets nothing', () => {
  const live = createLive();
  const { route } = to('by-all');
  assert.ok(passed(live, 'by-all') < MANY);
  assert.equal(passed(live.under({ mode: 'enforce', exempt: new Set() }), 'by-all'), 0);
  assert.equal(passed(live.under({ mode: 'off', exempt: new Set() }), 'by-all'), MANY);
  const exempting = live.under({ mode: 'enforce', exempt: new Set([route]) });
  assert.equal(exempting.judge({ ...to('by-all'), route }).passes, true);
  assert.equal(exempting.judge(to('by-all')).passes, false, 'another route of the same kind');
});

test('a verdict counts only of what is evidence, of live keys, and where the guard is on', () => {
  const code = { ...from, isConfirmed: true, createdAt: 0 };
  const live = createLive();
  assert.equal(live.weigh(code, 'fraud'), 1);
  assert.equal(live.weigh({ ...code, isEvidence: false }, 'fraud'), 0);
  assert.equal(live.weigh({ ...code, caller: { ...from.caller, test: true } }, 'fraud'), 0);
  const settings = { ...NO_SETTINGS, guard: 'off' } as const;
  assert.equal(live.weigh({ ...code, caller: { ...from.caller, settings } }, 'fraud'), 0);
  assert.equal(createLive([], { mode: 'off' }).weigh(code, 'fraud'), 0);
});
