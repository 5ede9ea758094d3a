import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorRule } from '../rules.ts';
import { type BacktestSettings, backtest } from './backtest.ts';
import type { PastRequest } from './past-requests.ts';

const START = Date.UTC(2026, 10, 1);
const SECOND = 1_000;
const MINUTE = 60_000;

function request(at: number, destination: string, rest: Partial<PastRequest> = {}): PastRequest {
  const who = { account: 'acme', key: 'web', number: `hash of ${destination}`, country: 'MA' };
  return { at: START + at, destination, ...who, confirmedAt: null, wrongGuesses: 0, cost: 50_000, ...rest };
}

/** One whose code was typed ten seconds later. */
const person = (at: number, destination: string, rest: Partial<PastRequest> = {}) =>
  request(at, destination, { confirmedAt: START + at + 10 * SECOND, ...rest });

async function* each(
  requests: readonly (PastRequest | undefined)[],
): AsyncGenerator<PastRequest | undefined> {
  yield* requests;
}

const run = (requests: readonly (PastRequest | undefined)[], settings: Partial<BacktestSettings> = {}) =>
  backtest(each(requests), { rules: [], modeOf: () => 'enforce', ...settings });

/** People of two countries, of whom three in four confirm, and from the fourth hour on bots that go through one range. */
function flooded(): PastRequest[] {
  const people = Array.from({ length: 1_200 }, (_, i) => {
    const number = `${(i * 7_919_123) % 100_000_000}`.padStart(8, '0');
    const at = i * 20 * SECOND;
    const [destination, country] = i % 3 === 0 ? [`+49151${number}`, 'DE'] : [`+2126${number}`, 'MA'];
    return i % 4 === 3 ? request(at, destination, { country }) : person(at, destination, { country });
  });
  const bots = Array.from({ length: 900 }, (_, i) =>
    request(4 * 60 * MINUTE + i * 5 * SECOND, `+21266123${String(i).padStart(4, '0')}`),
  );
  return [...people, ...bots].sort((a, b) => a.at - b.at);
}

test('of a flood most would have been saved, and hardly anybody who confirmed turned away', async () => {
  const { from, to, skipped, whole, countries, rules } = await run([...flooded(), undefined]);
  assert.deepEqual([from, to, skipped], [START, START + 1_199 * 20 * SECOND, 1]);
  assert.deepEqual([whole.requests, whole.spent, whole.confirmed], [2_100, 2_100 * 50_000, 900]);
  assert.ok(whole.refused > 800 && whole.refused <= 930, `${whole.refused} of 900 and a few`);
  assert.equal(whole.saved, whole.refused * 50_000);
  assert.ok(whole.turnedAway < 9, `${whole.turnedAway}`);
  assert.deepEqual(
    countries.map(({ country, requests }) => [country, requests]),
    [
      ['MA', 1_700],
      ['DE', 400],
    ],
  );
  for (const figure of ['requests', 'refused', 'spent', 'saved', 'confirmed', 'turnedAway'] as const) {
    assert.equal(
      countries.reduce((sum, one) => sum + one[figure], 0),
      whole[figure],
    );
  }
  for (const figure of ['refused', 'saved', 'turnedAway'] as const) {
    assert.equal(
      rules.reduce((sum, one) => sum + one[figure], 0),
      whole[figure],
    );
  }
  assert.ok(rules.some(({ rule }) => /^(closed|room):range/.test(rule)));
  assert.deepEqual(
    rules,
    rules.toSorted((a, b) => b.saved - a.saved),
  );
});

const DENY: OperatorRule = {
  action: 'deny',
  of: 'range',
  value: '+2126',
  reason: 'pumped',
  until: START + 30 * MINUTE,
};

const ALLOW: OperatorRule = {
  ...{ action: 'allow', of: 'number', value: 'hash of +212661000003' },
  ...{ reason: 'a test', until: START + 5 * MINUTE },
};

test('a person counts, not a request: none of the tries within ten minutes was let through, and one was confirmed', async () => {
  const turnedAway = async (...requests: PastRequest[]) => {
    const { whole } = await run(requests, { rules: [DENY, ALLOW] });
    return [whole.refused, whole.confirmed, whole.turnedAway];
  };
  const [a, b, c, d] = ['+212661000001', '+212661000002', '+4915112345678', '+212661000003'];
  assert.deepEqual(await turnedAway(request(0, a)), [1, 0, 0], 'nobody confirmed');
  assert.deepEqual(await turnedAway(person(0, a), person(1, b), person(2, c)), [2, 3, 2]);
  assert.deepEqual(await turnedAway(request(0, a), request(MINUTE, a), person(2 * MINUTE, a)), [3, 1, 1]);
  assert.deepEqual(
    await turnedAway(request(25 * MINUTE, a), person(31 * MINUTE, a)),
    [1, 1, 0],
    'came through',
  );
  assert.deepEqual(
    await turnedAway(request(4 * MINUTE, d), person(6 * MINUTE, d)),
    [1, 1, 0],
    'came through first',
  );
  assert.deepEqual(await turnedAway(person(15 * MINUTE, a), person(31 * MINUTE, a)), [1, 2, 1], 'too late');
  const other = person(31 * MINUTE, a, { account: 'other' });
  assert.deepEqual(await turnedAway(person(25 * MINUTE, a), other), [1, 2, 1], 'of another account');
});

test('what is refused leaves the traffic; in `observe` only what a rule of the operator refuses does', async () => {
  // 40 people of one range confirm while it is denied. Then bots come, who find more room if these were seen.
  const people = Array.from({ length: 40 }, (_, i) =>
    person(i * 30 * SECOND, `+21266100${`${i}`.padStart(4, '0')}`),
  );
  const bots = Array.from({ length: 60 }, (_, i) =>
    request(31 * MINUTE + i * SECOND, `+21266100${`${i + 900}`.padStart(4, '0')}`),
  );
  const refusedOf = async (rules: readonly OperatorRule[], mode: 'enforce' | 'observe') => {
    const { whole } = await run([...people, ...bots], { rules, modeOf: () => mode });
    return whole.refused;
  };
  const [unseen, seen] = [await refusedOf([DENY], 'enforce'), await refusedOf([], 'enforce')];
  assert.ok(unseen - 40 > seen, `${unseen} and ${seen}`);
  const denied = await refusedOf([DENY], 'observe');
  assert.ok(denied - 40 > seen, `${denied} and ${seen}`);
  const flood = async (mode: 'enforce' | 'observe') =>
    (await run(flooded(), { modeOf: () => mode })).whole.refused;
  const [stopped, watched] = [await flood('enforce'), await flood('observe')];
  assert.ok(watched > stopped, `${watched} and ${stopped}`);
});

test('an account without the guard is counted and not judged; wrong codes count against their address', async () => {
  const none = await run(flooded(), { modeOf: () => 'off' });
  assert.deepEqual([none.whole.requests, none.whole.refused, none.rules.length], [2_100, 0, 0]);
  const guesses = (wrongGuesses: number) =>
    flooded().map((each, i) => (i % 5 === 0 ? { ...each, network: 'net', wrongGuesses } : each));
  const of = async (wrong: number) =>
    (await run(guesses(wrong))).rules.find(({ rule }) => rule === 'closed:network');
  assert.equal((await of(0))?.refused, undefined);
  assert.ok(((await of(4))?.refused ?? 0) > 0);
});
