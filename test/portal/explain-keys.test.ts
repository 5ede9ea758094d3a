/** A number is explained only for a key with which it can be asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreatedKey, Key } from '../../src/portal/keys/contract.ts';
import type { RouteAnswer as Explained } from '../../src/portal/routing/contract.ts';
import { faultyFields } from '../acceptance/client.ts';
import { firstAccount, read, sharePortal } from './rig.ts';

const open = sharePortal();

test('a number is explained for keys in use, and refused for others at their field', async (t) => {
  const { setUp } = await open(t);
  const owner = await setUp();
  const path = `/portal/api/accounts/${(await firstAccount(owner)).id}`;
  const add = async (name: string, isTest = false) => {
    const restrictions = { channels: [], countries: [], sources: [] };
    const wanted = { name, test: isTest, expires_at: null, restrictions };
    return read<CreatedKey>(await owner.post(`${path}/keys`, wanted)).key.id;
  };
  const explain = (key: string) =>
    owner.post(`${path}/explain`, { number: '+4915112345678', channel: 'sms', key });
  const [active, replaced, expired, revoked] = [
    await add('a'),
    await add('b'),
    await add('c'),
    await add('d'),
  ];
  read(await owner.post(`${path}/keys/${replaced}/rotate`, { overlap_minutes: 60 }));
  read(await owner.post(`${path}/keys/${expired}/rotate`, { overlap_minutes: 0 }));
  read(await owner.post(`${path}/keys/${revoked}/revoke`));
  const statuses = new Map(
    read<Key[]>(await owner.get(`${path}/keys`)).map(({ id, status }) => [id, status]),
  );
  assert.deepEqual(
    [active, replaced, expired, revoked].map((id) => statuses.get(id)),
    ['active', 'overlap', 'expired', 'revoked'],
  );

  for (const id of [active, replaced]) {
    const { checks } = read<Explained>(await explain(id));
    const limits = checks.find(({ name }) => name === 'limits');
    assert.match(limits?.detail ?? '', /Not looked at: requests per key, wrong codes, and addresses/);
  }
  for (const id of [expired, revoked, await add('e', true)]) {
    const answer = await explain(id);
    assert.deepEqual([answer.status, faultyFields(answer)], [400, ['key']], id);
  }
});
