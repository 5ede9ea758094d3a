/** Passkeys: registered, used to sign in, and refused if anything in the answer is not as requested. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addPerson } from '../../../src/accounts/people.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import {
  readRegistration,
  readSignIn,
  registrationOptions,
  signInOptions,
} from '../../../src/identity/factors/passkeys.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { problemOf } from '../../acceptance/client.ts';
import { LAX } from '../../store/contract/rig.ts';
import { type PortalRig, read, readMe, sharePortal, type Visitor } from '../rig.ts';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';

const openPlace = sharePortal();

interface Options {
  readonly options: {
    readonly challenge: string;
    readonly rpId?: string;
    readonly excludeCredentials?: readonly { readonly id: string }[];
  };
}
const OPTIONS = '/portal/api/session/passkey/options';
const ask = async (visitor: Visitor, path: string) => read<Options>(await visitor.post(path)).options;
const add = async (
  owner: Visitor,
  authenticator: ReturnType<typeof createAuthenticator>,
  name = 'Laptop',
) => {
  const options = await ask(owner, '/portal/api/me/passkeys/options');
  return owner.post('/portal/api/me/passkeys', { name, response: authenticator.create(options) });
};
const use = async (visitor: Visitor, authenticator: ReturnType<typeof createAuthenticator>) => {
  const options = await ask(visitor, OPTIONS);
  return visitor.post('/portal/api/session/passkey', { response: authenticator.get(options) });
};
const authenticatorOf = ({ service }: PortalRig, options: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ origin: service.baseUrl, ...options });

test('a passkey is registered, signs in as both factors, and is removed', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const authenticator = authenticatorOf(portal);
  const added = await add(owner, authenticator);
  assert.equal(added.status, 201, added.text);
  const guest = portal.visitor();
  // As often as a house full of people would, who share an address: those who get in use up no guess.
  for (let i = 0; i < 21; i++) assert.equal((await use(guest, authenticator)).status, 204);
  const { passkeys } = await readMe(guest);
  assert.deepEqual(
    passkeys.map(({ name }) => name),
    ['Laptop'],
  );
  const sessions = read<{ method: string; current: boolean }[]>(await guest.get('/portal/api/me/sessions'));
  assert.equal(sessions.find(({ current }) => current)?.method, 'passkey');
  const { id } = JSON.parse(added.text);
  assert.equal((await owner.send('DELETE', `/portal/api/me/passkeys/${id}`)).status, 204);
  assert.equal((await owner.send('DELETE', `/portal/api/me/passkeys/${id}`)).status, 404);
  assert.equal(problemOf(await use(portal.visitor(), authenticator)), 'sign-in-failed');
});

test('a person is shown their own passkeys, and nobody else’s', async (t) => {
  const [portal, place] = [await openPlace(t), await openPlace(t)];
  const [owner, other] = [await portal.setUp(), await place.setUp()];
  const { id } = read<{ id: string }>(await add(owner, authenticatorOf(portal)));
  const shownTo = async (visitor: Visitor) => {
    const { excludeCredentials = [] } = await ask(visitor, '/portal/api/me/passkeys/options');
    return [excludeCredentials, (await readMe(visitor)).passkeys].map((list) => list.map((each) => each.id));
  };
  assert.deepEqual(
    [await shownTo(owner), await shownTo(other)],
    [
      [[id], [id]],
      [[], []],
    ],
  );
});

test('an answer works only once, and a challenge only for its purpose', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  // For an authenticator that does not count, only the challenge prevents replays.
  const authenticator = authenticatorOf(portal, { counts: false });
  const forSignIn = await ask(owner, OPTIONS);
  const misused = { name: 'x', response: authenticator.create(forSignIn) };
  assert.equal((await owner.post('/portal/api/me/passkeys', misused)).status, 400);
  const options = await ask(owner, '/portal/api/me/passkeys/options');
  const body = { name: 'Laptop', response: authenticator.create(options) };
  const race = await Promise.all(
    Array.from({ length: 5 }, () => owner.post('/portal/api/me/passkeys', body)),
  );
  assert.deepEqual(race.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);

  const answer = { response: authenticator.get(await ask(owner, OPTIONS)) };
  const uses = await Promise.all(
    Array.from({ length: 5 }, () => portal.visitor().post('/portal/api/session/passkey', answer)),
  );
  assert.equal((await portal.visitor().post('/portal/api/session/passkey', answer)).status, 401);
  assert.deepEqual(uses.map(({ status }) => status).sort(), [204, 401, 401, 401, 401]);
});

test('another origin, another domain, no user verification, a foreign key and an old counter are refused', async (t) => {
  const portal = await openPlace(t, '127.0.0.2');
  const owner = await portal.setUp();
  for (const options of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { verifiesUser: false },
  ]) {
    const refused = await add(owner, authenticatorOf(portal, options));
    assert.deepEqual(
      refused.json.errors?.map(({ field }) => field),
      ['response'],
      JSON.stringify(options),
    );
  }
  const authenticator = authenticatorOf(portal);
  await add(owner, authenticator);
  const guest = portal.visitor();
  assert.equal((await use(guest, authenticator)).status, 204);
  const unverified = { response: authenticator.get(await ask(guest, OPTIONS), false) };
  assert.equal(problemOf(await guest.post('/portal/api/session/passkey', unverified)), 'sign-in-failed');
  assert.equal((await use(guest, authenticator)).status, 204);
  authenticator.rewind(2);
  assert.equal(problemOf(await use(portal.visitor(), authenticator)), 'sign-in-failed');
  const options = await ask(guest, OPTIONS);
  const forged = { ...authenticatorOf(portal).get(options), id: authenticator.get(options).id };
  assert.equal(
    problemOf(await guest.post('/portal/api/session/passkey', { response: forged })),
    'sign-in-failed',
  );
  assert.equal((await guest.post('/portal/api/session/passkey', { response: {} })).status, 400);
  const unknown = { response: { ...forged, id: 'AAAA', rawId: 'AAAA' } };
  const statuses: number[] = [];
  for (let i = 0; i < 21; i++)
    statuses.push((await guest.post('/portal/api/session/passkey', unknown)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429], 'guesses of one address are counted');
});

test('a challenge is valid for five minutes', async () => {
  const site = { origin: 'https://localhost:8443' };
  const keyring = new Keyring('a secret for these tests only, yes');
  const records = {
    transact: async () => ({ done: true, rows: [[]] }) as const,
    random: SYSTEM_RANDOM,
    keysRevision: async () => 0,
  };
  const person = { id: 'per_1', email: 'olive@example.com', name: 'Olive' };
  const now = Date.now();
  const options = await registrationOptions({ records, keyring }, site, person, now);
  const response = createAuthenticator(site).create(options);
  const readAt = (at: number) =>
    readRegistration(keyring, site, { personId: person.id, name: 'Laptop', response }, at);
  assert.notEqual(await readAt(now + 299_999), undefined);
  assert.equal(await readAt(now + 300_000), undefined);
  assert.equal(await readAt(now - 86_400_000), undefined, 'a clock made it while it was far ahead');
});

test('of two simultaneous answers of one authenticator one counts, and a person has at most twenty passkeys', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-passkeys-'));
  const records = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(async () => {
    await records.close();
    await rm(dataDir, { recursive: true });
  });
  const site = { origin: 'https://localhost:8443' };
  const keyring = new Keyring('a secret for these tests only, yes');
  const person = { id: 'per_1', email: 'olive@example.com', name: 'Olive', password: null };
  const now = Date.now();
  const other = { ...person, id: 'per_2', email: 'oscar@example.com' };
  await records.transact([addPerson(person, now), addPerson(other, now)]);
  const register = async (authenticator: ReturnType<typeof createAuthenticator>, who = person) => {
    const options = await registrationOptions({ records, keyring }, site, who, now);
    const asked = { personId: who.id, name: 'Laptop', response: authenticator.create(options) };
    const passkey = await readRegistration(keyring, site, asked, now);
    assert.ok(passkey);
    return (await records.transact(passkey.steps)).done;
  };
  const authenticator = createAuthenticator(site);
  assert.equal(await register(authenticator), true);
  const answer = async () => {
    const response = authenticator.get(await signInOptions({ records, keyring }, site, now));
    const read = await readSignIn({ records, keyring }, site, response, now);
    assert.ok(read);
    return read.steps;
  };
  // Both are checked before either is written.
  const [first, second] = [await answer(), await answer()];
  assert.equal((await records.transact(first)).done, true);
  assert.equal((await records.transact(second)).done, false);

  assert.equal(await register(authenticator, other), false, 'what is one person’s is nobody else’s');

  for (let i = 1; i < 20; i++) assert.equal(await register(createAuthenticator(site)), true);
  assert.equal(await register(createAuthenticator(site)), false);
  assert.equal(await register(createAuthenticator(site), other), true, 'each has their own');
});
