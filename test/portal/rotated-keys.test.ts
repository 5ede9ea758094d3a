/** What operators set for a key holds for those that take its place: developers may rotate keys, and no budget or rule is theirs. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startService } from '../service.ts';
import { firstAccount, openPortal, read } from './rig.ts';

interface Created {
  readonly key: { readonly id: string };
  readonly secret: string;
}

test('budgets for a key, what it has spent, and rules of the guard about it hold for its successors', async (t) => {
  await using parts = new AsyncDisposableStack();
  const gateway = parts.use(await openGateway());
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-rotated-'));
  parts.defer(() => rm(dataDir, { recursive: true }));
  const config = (budgets: readonly object[]) => ({
    currency: 'EUR',
    carriers: { gateway: { ...gateway.carrier, prices: { default: 0.1 } } },
    routes: [
      { channel: 'sms', carriers: ['gateway'] },
      { channel: 'voice', carriers: ['simulator'] },
    ],
    budgets,
  });
  const first = await startService({ dataDir, withoutKeys: true, config: config([]) });
  const portal = await openPortal(t, first);
  const owner = await portal.setUp();
  const path = `/portal/api/accounts/${(await firstAccount(owner)).id}/keys`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const body = { name: 'shop', test: false, expires_at: null, restrictions };
  const [shop, other] = [
    read<Created>(await owner.post(path, body)),
    read<Created>(await owner.post(path, { ...body, name: 'other' })),
  ];
  await first.stop();

  const only = { of: 'key', per: 'day', money: 0.25, only: shop.key.id };
  const each = { of: 'key', per: 'month', messages: 4 };
  const service = parts.use(await startService({ dataDir, withoutKeys: true, config: config([only, each]) }));
  const again = portal.visitor(service);
  for (const [name, value] of owner.cookies) again.cookies.set(name, value);
  const { client } = service;
  const ask = async (key: string) => {
    const answer = await client.verify(freshNumber(), 'sms', { key });
    return answer.status === 200 ? 'sent' : problemOf(answer);
  };
  const rotate = async ({ key }: Created) =>
    read<Created>(await again.post(`${path}/${key.id}/rotate`, { overlap_minutes: 60 }));

  assert.deepEqual([await ask(shop.secret), await ask(shop.secret)], ['sent', 'sent']);
  const second = await rotate(shop);
  assert.equal(await ask(second.secret), 'budget-exhausted');
  const third = await rotate(second);
  assert.equal(await ask(third.secret), 'budget-exhausted');

  for (let n = 0; n < 4; n++) assert.equal(await ask(other.secret), 'sent');
  const next = await rotate(other);
  assert.equal(await ask(next.secret), 'budget-exhausted', 'what a key has spent is not forgotten');

  const ends = new Date(Date.now() + 3_600_000).toISOString();
  const pause = ['guard', 'pause', '--key', next.key.id, '--until', ends, '--reason', 'found by bots'];
  await service.command(...pause);
  const last = await rotate(next);
  await eventually(async () => ((await ask(last.secret)) === 'guarded' ? true : undefined));
  assert.equal(await ask(last.secret), 'guarded');
  const explained = await service.command('guard', 'explain', '+4915112345678', '--key', last.key.id);
  assert.match(explained, /rule: pause, of the key, until .*found by bots/);
  assert.equal(await ask(other.secret), 'budget-exhausted', 'not for those before it');
});
