/** Changes to how a person signs in or that give an account away need a fresh proof of identity: an open session is not enough. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { freshNumber, problemOf } from '../../acceptance/client.ts';
import { onTwoNodes } from '../../acceptance/target.ts';
import { listRoutes, SAMPLES } from '../catalogue.ts';
import { ageProofs, firstAccount, PASSWORD, read, readMe, sharePortal, type Visitor } from '../rig.ts';

import { createAuthenticator } from './authenticator.ts';

const openPlace = sharePortal();

/** What people may do with their own sign-in without a fresh proof. */
const FREE = [
  'POST me/proof',
  'POST me/proof/passkey',
  'DELETE me/sessions',
  'DELETE me/sessions/{id}',
  // The current password is a proof itself.
  'POST me/password',
];

const isAsked = async (visitor: Visitor) =>
  problemOf(await visitor.post('/portal/api/me/passkeys/options')) === 'proof-needed';

// Times are moved back in the folder's own database.
const own = { skip: onTwoNodes };

test('every change to how a person signs in asks for a proof of the last ten minutes', own, async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const routes = (await listRoutes(portal.visitor())).filter(
    ({ name, changes }) => changes && / me(\/|$)/.test(name) && !FREE.includes(name),
  );
  assert.ok(routes.length >= 7);
  ageProofs(portal, 9);
  assert.equal(await isAsked(owner), false);
  ageProofs(portal, 1);
  for (const { name, method, body, path } of routes) {
    const answer = await owner.send(method, path(), body);
    assert.deepEqual([answer.status, problemOf(answer)], [403, 'proof-needed'], name);
  }
  assert.equal((await owner.get('/portal/api/me')).status, 200, 'anything else goes on');

  const before = owner.cookies.get('__Host-countersign') ?? '';
  const wrong = await owner.post('/portal/api/me/proof', { password: 'not-the-password' });
  assert.deepEqual(wrong.json.errors, [
    { field: 'password', code: 'no_match', detail: 'is not your password' },
  ]);
  assert.equal(await isAsked(owner), true);
  assert.equal((await owner.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
  assert.equal(await isAsked(owner), false);
  const thief = portal.visitor();
  thief.cookies.set('__Host-countersign', before);
  assert.equal((await thief.get('/portal/api/me')).status, 401, 'the proof is the token’s that came with it');
  assert.equal(read<unknown[]>(await owner.get('/portal/api/me/sessions')).length, 1);
});

/** What an owner or a developer needs a proof for: who belongs to the account, what it lets through, its live keys. */
const ASKED = [
  'PATCH accounts/{account}/members/{id}',
  'POST accounts/{account}/invitations',
  'PUT accounts/{account}/settings',
  'POST accounts/{account}/carriers/{carrier}/test',
  'POST accounts/{account}/verifications/{id}/reveal',
  'POST accounts/{account}/keys',
  'PATCH accounts/{account}/keys/{id}',
  'POST accounts/{account}/keys/{id}/rotate',
  'DELETE accounts/{account}/members/{id}',
  'POST accounts/{account}/numbers/export',
  'POST accounts/{account}/numbers/erase',
  'POST accounts/{account}/do-not-send/numbers/remove',
  'DELETE accounts/{account}/do-not-send/numbers/{id}',
  'DELETE accounts/{account}/do-not-send/ranges/{prefix}',
  'POST accounts/{account}/guard/rules',
  'DELETE accounts/{account}/guard/rules/{id}',
  'PUT accounts/{account}/alerts/webhook',
  'POST accounts/{account}/webhooks',
  'PATCH accounts/{account}/webhooks/{id}',
  'POST accounts/{account}/webhooks/{id}/reveal',
  'POST accounts/{account}/webhooks/{id}/rotate',
  'POST accounts/{account}/webhooks/{id}/enable',
];

test(
  'what takes an account, or tells of it, asks for a proof of the last ten minutes, and is done after one',
  own,
  async (t) => {
    const portal = await openPlace(t);
    const owner = await portal.setUp();
    const routes = (await listRoutes(portal.visitor())).filter(({ ofAccount }) => ofAccount);
    const asking = routes.filter(({ problems }) => problems.includes('proof-needed')).map(({ name }) => name);
    assert.deepEqual(asking.sort(), [...ASKED].sort(), 'the document says which do');

    const guest = await portal.join(owner, 'viewer', `guest@${portal.domain}`);
    const account = (await firstAccount(owner)).id;
    const base = `/portal/api/accounts/${account}`;
    const restrictions = { channels: [], countries: [], sources: [] };
    const live = { name: 'shop', test: false, expires_at: null, restrictions };
    const made = read<{ key: { id: string }; secret: string }>(await owner.post(`${base}/keys`, live));
    const sent = await portal.service.client.issue(freshNumber(), 'sms', { key: made.secret });
    const [first, second] = [freshNumber(), freshNumber()];
    for (const number of [first, second]) await owner.post(`${base}/do-not-send/numbers`, { number });
    await owner.post(`${base}/do-not-send/ranges`, { prefix: '+88213' });
    const listed = read<{ numbers: { id: string }[] }>(await owner.get(`${base}/do-not-send/numbers`));
    const rule = { action: 'deny', subject: 'range', value: '+88213', ends_at: null, reason: 'pumped' };
    await owner.post(`${base}/guard/rules`, rule);
    const rules = read<readonly { id: string }[]>(await owner.get(`${base}/guard/rules`));
    const endpoint = { url: SAMPLES.url, types: [], full_numbers: true };
    const added = read<{ webhook: { id: string } }>(await owner.post(`${base}/webhooks`, endpoint));
    await owner.post(`${base}/webhooks/${added.webhook.id}/disable`);
    const ids: Readonly<Record<string, string>> = {
      webhooks: added.webhook.id,
      guard: rules[0]?.id ?? '',
      'do-not-send': listed.numbers[0]?.id ?? '',
      members: (await readMe(guest)).id,
      keys: made.key.id,
      verifications: sent.id,
    };
    const bodies: Readonly<Record<string, object>> = {
      'POST accounts/{account}/keys': live,
      'PATCH accounts/{account}/keys/{id}': { expires_at: null },
      'PATCH accounts/{account}/members/{id}': { role: 'owner' },
      'POST accounts/{account}/numbers/export': { destination: first },
      'POST accounts/{account}/numbers/erase': { destination: first },
      'POST accounts/{account}/do-not-send/numbers/remove': { number: first },
      'POST accounts/{account}/guard/rules': rule,
      'POST accounts/{account}/webhooks': endpoint,
      'PATCH accounts/{account}/webhooks/{id}': { url: 'https://elsewhere.example/' },
    };
    const ask = (name: string) => {
      const route = routes.find((one) => one.name === name);
      assert.ok(route !== undefined, name);
      const of = /\{account\}\/([\w-]+)/.exec(route.template)?.[1] ?? '';
      const path = route.path({ account, id: ids[of] ?? '', prefix: '88213', carrier: 'simulator' });
      return owner.send(route.method, path, bodies[name] ?? route.body);
    };

    ageProofs(portal, 11);
    for (const name of ASKED) {
      const answer = await ask(name);
      assert.deepEqual([answer.status, problemOf(answer)], [403, 'proof-needed'], name);
    }
    assert.equal((await readMe(guest)).accounts[0]?.role, 'viewer');
    // A test key reaches only the simulator, and ending something must not wait.
    const test = read<{ key: { id: string } }>(await owner.post(`${base}/keys`, { ...live, test: true }));
    assert.equal((await owner.send('PATCH', `${base}/keys/${test.key.id}`, { name: 'ci' })).status, 200);
    assert.equal(
      (await owner.post(`${base}/keys/${test.key.id}/rotate`, { overlap_minutes: 0 })).status,
      201,
    );
    assert.equal((await owner.post(`${base}/keys/${test.key.id}/revoke`)).status, 200);
    // Neither must what gives nobody a number.
    const hook = `${base}/webhooks/${added.webhook.id}`;
    for (const change of [{ types: ['delivery.failed'] }, { url: SAMPLES.url, full_numbers: true }]) {
      assert.equal((await owner.send('PATCH', hook, change)).status, 200);
    }
    const masked = read<{ webhook: { id: string } }>(
      await owner.post(`${base}/webhooks`, { ...endpoint, full_numbers: false }),
    );
    const move = { url: 'https://elsewhere.example/' };
    assert.equal((await owner.send('PATCH', `${base}/webhooks/${masked.webhook.id}`, move)).status, 200);

    assert.equal((await owner.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
    for (const name of ASKED) assert.ok((await ask(name)).status < 300, name);
    ageProofs(portal, 11);
    assert.equal((await owner.post(`${base}/keys/${made.key.id}/revoke`)).status, 200);
  },
);

test('a role that is too low is refused before a proof is required', own, async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const guest = await portal.join(owner, 'viewer', `guest@${portal.domain}`);
  const { id } = await firstAccount(owner);
  ageProofs(portal, 11);
  const invitation = { email: 'x@example.com', role: 'owner' };
  assert.equal(
    problemOf(await guest.post(`/portal/api/accounts/${id}/invitations`, invitation)),
    'forbidden',
  );
});

test('one’s own passkey is a proof, and so is signing in again', own, async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const guest = await portal.join(owner, 'viewer', `guest@${portal.domain}`);
  const origin = portal.service.baseUrl;
  const register = async (visitor: Visitor) => {
    const authenticator = createAuthenticator({ origin });
    const { options } = read<{ options: { challenge: string } }>(
      await visitor.post('/portal/api/me/passkeys/options'),
    );
    const added = { name: 'Key', response: authenticator.create(options) };
    assert.equal((await visitor.post('/portal/api/me/passkeys', added)).status, 201);
    return authenticator;
  };
  const [mine, theirs] = [await register(owner), await register(guest)];
  ageProofs(portal, 11);
  const prove = async (authenticator: typeof mine) => {
    const { options } = read<{ options: { challenge: string } }>(
      await owner.post('/portal/api/session/passkey/options'),
    );
    return owner.post('/portal/api/me/proof/passkey', { response: authenticator.get(options) });
  };
  assert.equal(problemOf(await prove(theirs)), 'sign-in-failed');
  assert.equal(await isAsked(owner), true);
  assert.equal((await prove(mine)).status, 204);
  assert.equal(await isAsked(owner), false);
  assert.equal(await isAsked(guest), true, 'a proof is one session’s');

  ageProofs(portal, 11);
  read(await owner.post('/portal/api/session', { email: portal.owner, password: PASSWORD }));
  assert.equal(await isAsked(owner), false);
});

test('proofs are guesses like any other', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => owner.post('/portal/api/me/proof', { password: `wrong-${i}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [400, 400, 400, 400, 400, 429, 429, 429]);
});

test('a person without a password sets one only after a fresh proof', own, async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const database = new DatabaseSync(join(portal.service.dataDir, 'countersign.db'), { timeout: 5_000 });
  t.after(() => database.close());
  database.prepare('UPDATE person SET password = NULL WHERE email = ?').run(portal.owner);
  const set = () => owner.post('/portal/api/me/password', { password: 'cobalt-violin-meadow' });
  ageProofs(portal, 11);
  assert.equal(problemOf(await set()), 'proof-needed');
  ageProofs(portal, -11);
  assert.equal((await set()).status, 204);
});
