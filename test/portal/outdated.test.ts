/** Two people change one thing: what a form was filled from is sent along, and nothing is replaced that was changed since. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from '../acceptance/client.ts';
import { firstAccount, read, sharePortal, type Visitor } from './rig.ts';

type View = Readonly<Record<string, unknown>> & { readonly version: string };

const openPlace = sharePortal();
const FREE = { channels: [], countries: [], sources: [] };

async function twoOwners(scope: { after(close: () => unknown): void }) {
  const rig = await openPlace(scope);
  const owner = await rig.setUp();
  const other = await rig.join(owner, 'owner', `other@${rig.domain}`);
  const { id } = await firstAccount(owner);
  return { owner, other, path: `/portal/api/accounts/${id}` };
}

const actionsOf = async (owner: Visitor, path: string, action: string) =>
  read<{ entries: { action: string }[] }>(await owner.get(`${path}/audit`)).entries.filter(
    (entry) => entry.action === action,
  ).length;

test('settings that another owner changed since they were read are not replaced', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const at = `${path}/settings`;
  const find = async (by: Visitor) => read<{ settings: object; version: string }>(await by.get(at));
  const mine = await find(owner);
  const budgets = ['account 50 per day'];
  const theirs = read<{ version: string }>(
    await other.send('PUT', at, { ...mine.settings, version: mine.version, budgets, countries: ['DE'] }),
  );
  assert.notEqual(theirs.version, mine.version);

  const late = { ...mine.settings, version: mine.version, brand: 'Acme' };
  const refused = await owner.send('PUT', at, late);
  assert.deepEqual([refused.status, problemOf(refused)], [409, 'outdated']);
  const kept = await find(owner);
  assert.partialDeepStrictEqual(kept, { settings: { budgets, countries: ['DE'], brand: null } });
  assert.equal(kept.version, theirs.version);
  assert.equal(await actionsOf(owner, path, 'settings.changed'), 1);

  const again = { ...kept.settings, version: kept.version, brand: 'Acme' };
  assert.partialDeepStrictEqual(read(await owner.send('PUT', at, again)), {
    settings: { budgets, brand: 'Acme' },
  });
});

test('of many changes that were made of the same settings at once, one is done', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const at = `${path}/settings`;
  for (let round = 0; round < 5; round++) {
    const { settings, version } = read<{ settings: object; version: string }>(await owner.get(at));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? owner : other).send('PUT', at, { ...settings, version, brand: `Brand ${round} ${n}` }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
  }
});

test('a key that somebody limited since it was read keeps its limits', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const body = { name: 'shop', test: false, expires_at: null, restrictions: FREE };
  const { key } = read<{ key: View }>(await owner.post(`${path}/keys`, body));
  const at = `${path}/keys/${key.id}`;
  const restrictions = { ...FREE, sources: ['192.0.2.1'] };
  const limited = read<View>(await other.send('PATCH', at, { version: key.version, restrictions }));
  assert.notEqual(limited.version, key.version);

  const stale = { name: 'shop 2', expires_at: null, restrictions: FREE, version: key.version };
  assert.equal(problemOf(await owner.send('PATCH', at, stale)), 'outdated');
  const [found] = read<readonly View[]>(await owner.get(`${path}/keys`));
  assert.deepEqual([found?.restrictions, found?.name], [restrictions, 'shop']);

  const sent = { name: 'shop 2', version: limited.version };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => owner.send('PATCH', at, { ...sent, name: `shop ${n}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
});

test('a key that was rotated since its form was opened keeps the end of its overlap', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const body = { name: 'shop', test: false, expires_at: null, restrictions: FREE };
  const { key } = read<{ key: View }>(await owner.post(`${path}/keys`, body));
  const at = `${path}/keys/${key.id}`;
  read(await other.post(`${at}/rotate`, { overlap_minutes: 60 }));
  const stale = { expires_at: '2099-01-01T00:00:00Z', version: key.version };
  assert.equal(problemOf(await owner.send('PATCH', at, stale)), 'outdated');
});

test('an endpoint that somebody changed since it was read keeps its address and its events', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const added = await owner.post(`${path}/webhooks`, { url: 'https://hooks.invalid/a', types: [] });
  const { webhook } = read<{ webhook: View }>(added);
  const at = `${path}/webhooks/${webhook.id}`;
  const url = 'https://hooks.invalid/b';
  const moved = read<View>(await other.send('PATCH', at, { url, types: [], version: webhook.version }));
  const stale = { url: webhook.url, types: ['delivery.failed'], version: webhook.version };
  assert.equal(problemOf(await owner.send('PATCH', at, stale)), 'outdated');
  assert.partialDeepStrictEqual(read(await owner.get(at)), { url, types: [], version: moved.version });
  const fresh = { ...stale, url, version: moved.version };
  const answers = await Promise.all(Array.from({ length: 20 }, () => owner.send('PATCH', at, fresh)));
  assert.ok(answers.every(({ status }) => [200, 409].includes(status)));
  assert.equal(await actionsOf(owner, path, 'webhook.changed'), 2, 'the change of this form is made once');
});

test('without a version, a change applies to whatever is there', async (t) => {
  const { owner, other, path } = await twoOwners(t);
  const at = `${path}/settings`;
  const { settings } = read<{ settings: object }>(await owner.get(at));
  read(await other.send('PUT', at, { ...settings, brand: 'Theirs' }));
  assert.partialDeepStrictEqual(read(await owner.send('PUT', at, settings)), { settings: { brand: null } });
});
