/** API keys as their owners change them in the portal, and the effect on `/verify`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, faultyFields, freshNumber, problemOf, secondOf } from '../acceptance/client.ts';
import { firstAccount, logOf, type PortalRig, read, sharePortal, startPortal, type Visitor } from './rig.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly test: boolean;
  readonly status: string;
  readonly created_by: string | null;
  readonly expires_at: string | null;
  readonly last_used_from: string | null;
  readonly replaced_by: string | null;
  readonly restrictions: Record<'channels' | 'countries' | 'sources', readonly string[]>;
}
interface Created {
  readonly key: Key;
  readonly secret: string;
}

const FREE = { channels: [], countries: [], sources: [] };
const FRANCE = '+33612345678';
// So that keys can be used as often as a test likes.
const openPlace = sharePortal({ config: { limits: { requestsPerKey: [] } } });

async function open(rig: PortalRig, visitor: Visitor) {
  const { id } = await firstAccount(visitor);
  const path = `/portal/api/accounts/${id}/keys`;
  const add = async (wanted: object = {}) => {
    const body = { name: 'shop', test: false, expires_at: null, restrictions: FREE, ...wanted };
    return read<Created>(await visitor.post(path, body));
  };
  const { client } = rig.service;
  const verify = (key: string, destination = freshNumber(), channel = 'sms', headers = {}) =>
    client.verify(destination, channel, { key, headers });
  return { path, add, verify, list: async () => read<Key[]>(await visitor.get(path)) };
}

test('a key is made, used, viewed, changed and revoked; its secret is shown once', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { path, add, verify, list } = await open(rig, owner);
  const { key, secret } = await add({ name: ' web shop ' });
  assert.match(secret, /^csk_live_/);
  assert.ok(secret.startsWith(key.prefix));
  assert.deepEqual(
    [key.name, key.status, key.created_by],
    ['web shop', 'active', `Olive Owner (${rig.owner})`],
  );
  assert.equal((await verify(secret)).status, 200);

  const renamed = read<Key>(await owner.send('PATCH', `${path}/${key.id}`, { name: 'shop 2' }));
  assert.deepEqual([renamed.name, renamed.restrictions], ['shop 2', FREE]);
  const listed = await owner.get(path);
  assert.ok(!listed.text.includes(secret) && !(await logOf(rig.service)).includes(secret));

  for (let i = 0; i < 2; i++) {
    const revoked = read<Key>(await owner.post(`${path}/${key.id}/revoke`));
    assert.equal(revoked.status, 'revoked');
  }
  await secondOf(rig.service.client);
  const refused = await verify(secret);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"');
  assert.equal((await list()).find(({ id }) => id === key.id)?.status, 'revoked');
  assert.equal(problemOf(await owner.send('PATCH', `${path}/${key.id}`, { name: 'back' })), 'conflict');
  assert.equal(problemOf(await owner.post(`${path}/${key.id}/rotate`, { overlap_minutes: 5 })), 'conflict');

  const { id: account } = await firstAccount(owner);
  const log = await owner.get(`/portal/api/accounts/${account}/audit`);
  const entries = read<{ entries: { action: string; subject: string; detail: string; who: string }[] }>(log);
  const ofKey = entries.entries.filter(({ subject }) => subject.includes(key.prefix));
  assert.deepEqual(
    ofKey.map(({ action, who }) => [action, who]).reverse(),
    ['key.created', 'key.changed', 'key.revoked'].map((action) => [action, `Olive Owner (${rig.owner})`]),
  );
  assert.ok(!log.text.includes(secret));
});

test('a key is refused what it may not do, field by field, and addresses it may not be used from', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { path, add, verify } = await open(rig, owner);

  const german = await add({ restrictions: { ...FREE, channels: ['sms'], countries: ['DE', 'AT', 'DE'] } });
  assert.deepEqual(german.key.restrictions.countries, ['AT', 'DE']);
  assert.equal((await verify(german.secret)).status, 200);
  const byVoice = await verify(german.secret, freshNumber(), 'voice');
  assert.deepEqual(
    [byVoice.status, problemOf(byVoice), faultyFields(byVoice)],
    [400, 'invalid-request', ['channel']],
  );
  const toFrance = await verify(german.secret, FRANCE);
  assert.deepEqual([toFrance.status, faultyFields(toFrance)], [400, ['destination']]);
  const sip = await add({ restrictions: { ...FREE, countries: ['DE'] } });
  assert.deepEqual(faultyFields(await verify(sip.secret, 'sip:a@example.com', 'voice')), ['destination']);

  const elsewhere = await add({ restrictions: { ...FREE, sources: ['192.0.2.0/24', '2001:db8::/32'] } });
  for (const send of [
    () => verify(elsewhere.secret),
    () => rig.service.client.confirm('ver_1', '1', { key: elsewhere.secret }),
  ]) {
    const refused = await send();
    assert.deepEqual([refused.status, problemOf(refused)], [401, 'invalid-key']);
    assert.match(refused.json.detail ?? '', /address/);
  }
  const forged = { 'x-forwarded-for': '192.0.2.7' };
  const pretended = await verify(elsewhere.secret, freshNumber(), 'sms', forged);
  assert.equal(pretended.status, 401, 'without a proxy, such a header is not believed');

  await owner.send('PATCH', `${path}/${elsewhere.key.id}`, {
    restrictions: { ...FREE, sources: ['127.0.0.0/8', '::1'] },
  });
  await secondOf(rig.service.client);
  assert.equal((await verify(elsewhere.secret)).status, 200);
});

test('behind a trusted proxy, the source is the client that the proxy names', async (t) => {
  const headers = (address: string) => ({ 'x-forwarded-proto': 'https', 'x-forwarded-for': address });
  const rig = await startPortal(t, { proxied: true, config: { trustProxy: ['127.0.0.0/8', '::1'] } });
  const owner = rig.visitor();
  const change = { headers: headers('198.51.100.1') };
  const setup = {
    token: rig.setupToken(),
    name: 'O',
    email: 'o@example.com',
    password: 'harbour-lantern-quill',
  };
  assert.equal((await owner.post('/portal/api/setup', setup, change)).status, 204);
  const me = read<{ accounts: { id: string }[] }>(
    await owner.send('GET', '/portal/api/me', undefined, change),
  );
  const body = {
    name: 'n',
    test: true,
    expires_at: null,
    restrictions: { ...FREE, sources: ['192.0.2.0/24'] },
  };
  const path = `/portal/api/accounts/${me.accounts[0]?.id}/keys`;
  const { secret } = read<Created>(await owner.post(path, body, change));
  const { client } = rig.service;
  const statusFrom = async (address: string) =>
    (await client.verify(freshNumber(), 'sms', { key: secret, headers: headers(address) })).status;
  assert.equal(await statusFrom('192.0.2.9'), 200);
  assert.equal(await statusFrom('198.51.100.1'), 401);
  assert.equal(await statusFrom('192.0.2.9, 198.51.100.1'), 401, 'what stands before it may be invented');
  assert.equal(await statusFrom('nonsense'), 401);
});

test('a key expires to the second, even while it is in use', async (t) => {
  const rig = await openPlace(t);
  const { add, verify, list } = await open(rig, await rig.setUp());
  let expiresAt = 0;
  // On a machine that stands still for seconds, one may have ended before it was used once.
  const used = await eventually(async () => {
    expiresAt = Date.now() + 2_500;
    const made = await add({ expires_at: new Date(expiresAt).toISOString() }).catch(() => undefined);
    return made !== undefined && (await verify(made.secret)).status === 200 ? made : undefined;
  });
  assert.ok(used !== undefined);
  const { key, secret } = used;
  while (Date.now() < expiresAt) {
    const sent = Date.now();
    const { status } = await verify(secret);
    if (Date.now() < expiresAt) assert.equal(status, 200, `${expiresAt - sent} ms before its end`);
    await sleep(20);
  }
  const refused = await verify(secret);
  assert.deepEqual([refused.status, problemOf(refused)], [401, 'invalid-key']);
  assert.match(refused.json.detail ?? '', /expired/);
  assert.equal((await list()).find(({ id }) => id === key.id)?.status, 'expired');
});

test('a rotation: both keys work, the old one until its overlap is ended', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { path, add, verify, list } = await open(rig, owner);
  const old = await add({ restrictions: { ...FREE, channels: ['sms'] } });
  const next = read<Created>(await owner.post(`${path}/${old.key.id}/rotate`, { overlap_minutes: 60 }));
  assert.notEqual(next.secret, old.secret);
  assert.deepEqual(next.key.restrictions, old.key.restrictions);
  for (const { secret } of [old, next]) assert.equal((await verify(secret)).status, 200);
  const listed = (await list()).find(({ id }) => id === old.key.id);
  assert.deepEqual([listed?.status, listed?.replaced_by], ['overlap', next.key.id]);
  assert.equal(
    problemOf(await owner.post(`${path}/${old.key.id}/rotate`, { overlap_minutes: 1 })),
    'conflict',
  );

  await owner.post(`${path}/${old.key.id}/revoke`);
  await secondOf(rig.service.client);
  assert.equal((await verify(old.secret)).status, 401);
  assert.equal((await verify(next.secret)).status, 200);

  const last = read<Created>(await owner.post(`${path}/${next.key.id}/rotate`, { overlap_minutes: 0 }));
  await secondOf(rig.service.client);
  assert.equal((await verify(next.secret)).status, 401, 'an overlap of nothing ends at once');
  assert.equal((await verify(last.secret)).status, 200);
});

test('each invalid field is named, with what is expected', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { path, add } = await open(rig, owner);
  const { key } = await add();
  const good = { name: 'n', test: false, expires_at: null, restrictions: FREE };
  const cases: [object, string[]][] = [
    [{ ...good, name: ' ' }, ['name']],
    [{ ...good, expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    [{ ...good, expires_at: '2099-12-31T23:59:60Z' }, ['expires_at']],
    [{ ...good, expires_at: 'tomorrow' }, ['expires_at']],
    [{ ...good, restrictions: { ...FREE, channels: ['fax'] } }, ['restrictions/channels/0']],
    [{ ...good, restrictions: { ...FREE, countries: ['DE', 'UK'] } }, ['restrictions/countries/1']],
    [
      { ...good, restrictions: { ...FREE, sources: ['192.0.2.1', '300.1.1.1', '10.0.0.0/33', 'a.example'] } },
      ['restrictions/sources/1', 'restrictions/sources/2', 'restrictions/sources/3'],
    ],
  ];
  for (const [body, fields] of cases) {
    const answer = await owner.post(path, body);
    assert.deepEqual([answer.status, faultyFields(answer)], [400, fields], answer.text);
    assert.ok(!answer.text.includes('"is invalid"'), answer.text);
  }
  const changed = await owner.send('PATCH', `${path}/${key.id}`, { expires_at: '2020-01-01T00:00:00Z' });
  assert.deepEqual(faultyFields(changed), ['expires_at']);
  const overlap = await owner.post(`${path}/${key.id}/rotate`, { overlap_minutes: 43_201 });
  assert.deepEqual(faultyFields(overlap), ['overlap_minutes']);
});

test('developers change keys, viewers see them, and another account’s keys are unknown', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { path, add } = await open(rig, owner);
  const { key } = await add();
  const developer = await rig.join(owner, 'developer', `dev@${rig.domain}`);
  const viewer = await rig.join(owner, 'viewer', `view@${rig.domain}`);
  const body = { name: 'n', test: true, expires_at: null, restrictions: FREE };
  const attempts = (visitor: Visitor, base: string) => [
    () => visitor.post(base, body),
    () => visitor.send('PATCH', `${base}/${key.id}`, { name: 'm' }),
    () => visitor.post(`${base}/${key.id}/rotate`, { overlap_minutes: 0 }),
    () => visitor.post(`${base}/${key.id}/revoke`),
  ];
  assert.equal(
    read<Key[]>(await viewer.get(path)).some(({ id }) => id === key.id),
    true,
  );
  for (const attempt of attempts(viewer, path)) assert.equal(problemOf(await attempt()), 'forbidden');

  const other = read<{ id: string }>(
    await owner.post('/portal/api/accounts', { name: `Other of ${rig.domain}` }),
  );
  const elsewhere = `/portal/api/accounts/${other.id}/keys`;
  for (const attempt of attempts(owner, elsewhere).slice(1)) assert.equal((await attempt()).status, 404);
  for (const attempt of attempts(developer, elsewhere)) assert.equal((await attempt()).status, 404);

  const statuses = [];
  for (const attempt of attempts(developer, path)) statuses.push((await attempt()).status);
  assert.deepEqual(statuses, [201, 200, 201, 200]);
  // Only an owner lets a key bring codes; anybody who may change it can end that.
  const bringing = { ...body, custom_codes: true };
  assert.equal(problemOf(await developer.post(path, bringing)), 'forbidden');
  const made = read<{ key: { id: string; custom_codes: boolean } }>(await owner.post(path, bringing)).key;
  assert.equal(made.custom_codes, true);
  const change = (by: Visitor, allowed: boolean) =>
    by.send('PATCH', `${path}/${made.id}`, { custom_codes: allowed });
  assert.equal(read<{ custom_codes: boolean }>(await change(developer, false)).custom_codes, false);
  assert.equal(problemOf(await change(developer, true)), 'forbidden');
  // Nor does anybody else get the secret of such a key, or use it from elsewhere.
  assert.equal((await change(owner, true)).status, 200);
  const at = `${path}/${made.id}`;
  const rotate = (by: Visitor) => by.post(`${at}/rotate`, { overlap_minutes: 5 });
  assert.equal(problemOf(await rotate(developer)), 'forbidden');
  const elsewise = { restrictions: { ...FREE, sources: ['::/0'] } };
  assert.equal(problemOf(await developer.send('PATCH', at, elsewise)), 'forbidden');
  assert.equal((await developer.send('PATCH', at, { name: 'renamed' })).status, 200);
  assert.equal(read<{ key: { custom_codes: boolean } }>(await rotate(owner)).key.custom_codes, true);
  const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
  assert.equal(problemOf(await owner.post(path, body, crossSite)), 'cross-site');
});

test('the last use is shown with its address once it is written', async (t) => {
  // The last of those that share it, because it stops.
  const rig = await openPlace(t);
  const { add, verify, list } = await open(rig, await rig.setUp());
  const { key, secret } = await add();
  assert.equal((await verify(secret)).status, 200);
  // Written when the service stops, at the latest; sessions survive that.
  await rig.service.stop();
  await rig.service.restart();
  const seen = await eventually(async () => (await list()).find(({ id }) => id === key.id));
  assert.match(seen?.last_used_from ?? '', /^(127\.0\.0\.1|::1)$/);
});
