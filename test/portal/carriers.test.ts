/** Carriers and routes in the portal, and what an explanation says: the same as `/verify` then does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteAnswer as Explained, RoutingView } from '../../src/portal/routing/contract.ts';
import type { SettingsView } from '../../src/portal/settings/contract.ts';
import type { Start } from '../../src/portal/start/contract.ts';
import { eventually, faultyFields, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { firstAccount, logOf, read, startPortal } from './rig.ts';

const SECRET = 'bearer-that-nobody-may-see';

test('carriers and routes are shown without what leads to them, and explained as they are then used', async (t) => {
  const gateway = await openGateway();
  t.after(() => gateway[Symbol.asyncDispose]());
  const { service, setUp, join } = await startPortal(t, {
    env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
    config: {
      currency: 'EUR',
      limits: { sendsPerDestination: ['3/10m'] },
      guard: { countries: ['DE', 'FR', 'GB'] },
      carriers: {
        one: {
          ...gateway.carrier,
          ...{ headers: { authorization: SECRET }, rate: '50/1s', dailyCap: 900 },
          prices: { default: 0.02, DE: 0.07 },
        },
        two: { ...gateway.carrier, prices: { default: 0.05 } },
      },
      routes: [
        { channel: 'sms', countries: ['FR', 'GB'], carriers: ['simulator'] },
        { channel: 'sms', carriers: ['one', 'two'], weights: { one: 3, two: 1 }, dailyCap: 5_000 },
      ],
      budgets: [{ of: 'account', per: 'day', messages: 4 }],
    },
  });
  const owner = await setUp();
  const viewer = await join(owner, 'viewer', 'vera@example.com');
  const { id, name } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  const key = await service.createKey('live', { account: name });
  const number = freshNumber();
  const verify = (to = number) => service.client.verify(to, 'sms', { key });
  const explain = async (to = number, rest: object = {}) =>
    read<Explained>(await viewer.post(`${path}/explain`, { number: to, channel: 'sms', ...rest }));
  const verdicts = ({ checks }: Explained) => checks.map(({ name, verdict }) => `${name} ${verdict}`);
  const passing = ['request passes', 'do-not-send passes', 'limits passes', 'guard passes', 'budgets passes'];
  const withOne = (check: string) =>
    passing.map((each) => (each.split(' ')[0] === check.split(' ')[0] ? check : each));

  await t.test('what is configured', async () => {
    const answer = await viewer.get(`${path}/routing`);
    const { currency, reload, carriers, routes } = read<RoutingView>(answer);
    assert.doesNotMatch(answer.text, new RegExp(`${SECRET}|127\\.0\\.0\\.1|authorization`));
    assert.deepEqual([currency, reload], ['EUR', null]);
    const one = carriers.find((each) => each.name === 'one');
    assert.deepEqual([one?.type, one?.rate, one?.daily_cap, one?.timeout_ms], ['http', '50/1s', 900, 10_000]);
    assert.deepEqual(routes, [
      {
        ...{ position: 1, channel: 'sms', countries: ['FR', 'GB'], prefixes: [], chooses: 'only' },
        ...{ daily_cap: null, simulated: true },
        carriers: [{ name: 'simulator', share: null, lowest_price: 0, highest_price: 0 }],
        legs: [],
      },
      {
        ...{ position: 2, channel: 'sms', countries: [], prefixes: [], chooses: 'weights' },
        ...{ daily_cap: 5_000, simulated: false },
        carriers: [
          { name: 'one', share: 0.75, lowest_price: 0.02, highest_price: 0.02 },
          { name: 'two', share: 0.25, lowest_price: 0.05, highest_price: 0.05 },
        ],
        legs: [],
      },
    ]);
  });

  await t.test(
    'one route to a telephone is a carrier, and what else goes to the simulator is said',
    async () => {
      const { carrier } = read<Start>(await viewer.get(`${path}/start`));
      const { simulated, reaching } = read<SettingsView>(await viewer.get(`${path}/settings`)).defaults;
      assert.deepEqual(
        { carrier, simulated, reaching },
        { carrier: true, simulated: ['sms'], reaching: ['sms'] },
      );
    },
  );

  await t.test('a number that may be sent to: the route, the carriers, the text and the price', async () => {
    const { number: shown, country, checks, plan } = await explain('+4915112345678');
    assert.deepEqual(verdicts({ checks } as Explained), passing);
    assert.deepEqual([country, shown.includes('5112345')], ['DE', false]);
    assert.ok(plan);
    assert.deepEqual(plan.not_taken, [{ position: 1, serves_another: 'country' }]);
    assert.equal(plan.route, 2);
    assert.deepEqual(
      plan.carriers.map(({ name, price, daily_cap, cap_reached }) => [name, price, daily_cap, cap_reached]),
      [
        ['one', 0.07, 900, false],
        ['two', 0.05, null, false],
      ],
    );
    assert.match(plan.text?.sample ?? '', /^•+ ist Ihr/);
    assert.deepEqual([plan.text?.language, plan.text?.segments], ['de', 1]);
    assert.equal(gateway.received.length, 0);
  });

  await t.test('what is refused says so, as /verify does', async () => {
    for (const [to, words] of [
      ['+12025550123', /does not send to the country/],
      ['12', /Expected a telephone number/],
      ['+493012345678', /landline/i],
    ] as const) {
      const { checks, plan } = await explain(to);
      assert.deepEqual([plan, checks.length, checks[0]?.verdict], [null, 1, 'refuses']);
      assert.match(checks[0]?.detail ?? '', words);
      assert.equal((await verify(to)).status, 400);
    }
  });

  await t.test('limits and budgets are those that are left', async () => {
    const used = async (name: string) => (await explain()).checks.find((each) => each.name === name)?.detail;
    for (let i = 0; i < 3; i++) {
      assert.match((await used('limits')) ?? '', new RegExp(`: ${i} of 3 in 10m\\.`));
      assert.match((await used('budgets')) ?? '', new RegExp(`: ${i} of 4 messages\\.`));
      assert.equal((await verify()).status, 200);
    }
    assert.deepEqual(verdicts(await explain()), withOne('limits refuses'));
    assert.equal((await verify()).status, 429);
    const other = freshNumber();
    assert.deepEqual(verdicts(await explain(other)), passing);
    assert.equal((await verify(other)).status, 200);
    assert.deepEqual(verdicts(await explain(freshNumber())), withOne('budgets refuses'));
    assert.equal(problemOf(await verify(freshNumber())), 'budget-exhausted');
  });

  await t.test('the do-not-send list, ranges, the rules of the guard, and the bounds of a key', async () => {
    const to = freshNumber();
    const withoutBudget = (explained: Explained) =>
      verdicts(explained).filter((each) => !each.startsWith('budgets'));
    const rest = passing.filter((each) => !each.startsWith('budgets'));
    assert.deepEqual(withoutBudget(await explain(to)), rest);
    assert.equal((await owner.post(`${path}/do-not-send/numbers`, { number: to })).status, 204);
    assert.ok(verdicts(await explain(to)).includes('do-not-send refuses'));
    const rule = { action: 'deny', subject: 'range', value: '+4915199', ends_at: null, reason: 'pumped' };
    assert.equal((await owner.post(`${path}/guard/rules`, rule)).status, 204);
    const ruled = await eventually(async () => {
      // Explanations are counted.
      await sleep(400);
      const { checks } = await explain('+4915199345678');
      return checks.find(({ name, verdict }) => name === 'guard' && verdict === 'refuses');
    });
    assert.match(ruled?.detail ?? '', /says deny: pumped/);
    const restrictions = { channels: ['voice'], countries: [], sources: [] };
    const bounded = { name: 'calls', test: false, expires_at: null, restrictions };
    const made = read<{ key: { id: string } }>(await owner.post(`${path}/keys`, bounded));
    const { checks } = await explain(freshNumber(), { key: made.key.id });
    assert.match(checks[0]?.detail ?? '', /may not use the channel/);
    const unknown = await viewer.post(`${path}/explain`, { number: to, channel: 'sms', key: 'key_none' });
    assert.deepEqual([unknown.status, faultyFields(unknown)], [400, ['key']]);
  });

  await t.test('nothing of it was sent, and there is a bound', async () => {
    // A code is answered for before its message has left.
    await eventually(async () => gateway.received.length >= 4 || undefined);
    assert.equal(gateway.received.length, 4);
    let answer = await viewer.post(`${path}/explain`, { number, channel: 'sms' });
    for (let i = 0; i < 40 && answer.status === 200; i++) {
      answer = await viewer.post(`${path}/explain`, { number, channel: 'sms' });
    }
    assert.equal(problemOf(answer), 'asked-too-often');
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.doesNotMatch(await logOf(service), new RegExp(number.slice(1)));
  });
});
