/** Budgets while messages wait, and the configuration changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { answer, openGateway } from '../faults/gateway.ts';
import { spareRoute, startReloadable } from './rig.ts';

test('what waits for a cheap carrier goes by a dear one as far as the budget allows, and the rest waits', async () => {
  await using cheap = await openGateway();
  await using dear = await openGateway();
  cheap.behave(answer(503));
  const carriers = {
    cheap: { ...cheap.carrier, prices: { default: 0.01 } },
    dear: { ...dear.carrier, prices: { default: 1 } },
  };
  const config = (carrier: string, money: number) => ({
    limits: { requestsPerKey: [] },
    budgets: [{ of: 'installation', per: 'day', money }],
    ...{ carriers, routes: [spareRoute(carriers), { channel: 'sms', carriers: [carrier] }] },
  });
  await using reloadable = await startReloadable(config('cheap', 1.5));
  const { client } = reloadable.service;
  const arrived = async (gateway: typeof dear, count: number) =>
    assert.ok(
      await eventually(
        async () => new Set(gateway.received.map(({ to }) => to)).size >= count || undefined,
        30_000,
      ),
    );
  for (let i = 0; i < 4; i++) assert.equal((await client.verify(freshNumber())).status, 200);
  await arrived(cheap, 4);
  // Four hold 0.04, so that one may cost 1 more.
  assert.equal((await reloadable.reload(config('dear', 1.5))).ok, true);
  await arrived(dear, 1);
  const refused = await client.verify(freshNumber());
  assert.equal(refused.status, 429, 'what goes by the dear carrier counts');
  assert.match(refused.text, /budget-exhausted/);
  assert.equal(dear.received.length, 1);
  assert.equal((await reloadable.reload(config('dear', 100))).ok, true);
  await arrived(dear, 4);
});
