/** Guarantees of the portal's statements about signing in under races, on each store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditLog } from '../../../src/accounts/audit.ts';
import { addMember } from '../../../src/accounts/members.ts';
import { changePassword, findPersonById, lockPerson } from '../../../src/accounts/people.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { query } from '../../../src/core/sql/records.ts';
import { mintRecoveryCodes, useRecoveryCode } from '../../../src/identity/factors/recovery-codes.ts';
import {
  beginTotp,
  confirmTotp,
  findTotp,
  resealTotp,
  spendTotp,
} from '../../../src/identity/factors/totp-secret.ts';
import { isSetupNeeded, openSetup, setUp } from '../../../src/identity/first-run/setup.ts';
import { readMe } from '../../../src/identity/me/me.ts';
import { beginAnew } from '../../../src/identity/oidc/first-vouch.ts';
import {
  findLinked,
  keepsAnotherWay,
  linkIdentity,
  touch,
  unlink,
} from '../../../src/identity/oidc/identities.ts';
import { reset } from '../../../src/identity/reset/reset.ts';
import {
  dropOneTimes,
  findOneTime,
  mintOneTime,
  useOneTime,
} from '../../../src/identity/sign-in/one-time.ts';
import { noteRefusal } from '../../../src/identity/sign-in/refusals.ts';
import { ofPassword, ofSource, returnGuess, takeGuess } from '../../../src/identity/sign-in/throttle.ts';
import type { Store } from '../../../src/store/port.ts';
import { totp } from '../sign-in/totp.ts';
import { HOUR, MINUTE, NOW, overEachStore, SECOND } from './stores.ts';

/** All that somebody can sign in with. */
async function giveAll(store: Store, id: string): Promise<void> {
  await store.transact([
    mintOneTime(store, 'reset', id, NOW).step,
    beginTotp({ records: store, keyring: new Keyring('a secret for these tests only, yes') }, id).step,
    ...mintRecoveryCodes(store, id).steps,
    linkIdentity(
      store,
      id,
      { issuer: 'https://sso.example.com', subject: mintId('sub', SYSTEM_RANDOM) },
      NOW,
    ),
  ]);
  const passkey = "INSERT INTO passkey VALUES ($1, $2, 'Laptop', 'key', 0, '[]', 1, NULL)";
  await query(store, passkey, mintId('pk', SYSTEM_RANDOM), id);
  const session = "INSERT INTO session VALUES ($1, $1, $2, 'password', '::1', '', $3, $3, $3)";
  await query(store, session, mintId('ses', SYSTEM_RANDOM), id, NOW);
}

overEachStore('signing in', (portal) => {
  test('without a link that is good nobody becomes the first owner', async () => {
    const { store } = portal();
    const late = await openSetup(store, NOW - 24 * HOUR);
    const stranger = { email: 'stranger@example.com', name: 'S', password: 'hash', address: '::1' };
    for (const token of ['', 'x'.repeat(43), late ?? '']) {
      assert.equal((await store.transact(setUp(store, token, stranger, NOW).steps, true)).done, false, token);
    }
    assert.equal(await isSetupNeeded(store), true);
  });

  test('of many set-ups with several links at once, one makes the owner', async () => {
    const { either, store } = portal();
    const tokens = await Promise.all([0, 1, 2].map((i) => openSetup(either(i), NOW)));
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const details = { email: `o${i}@example.com`, name: 'O', password: 'hash', address: '::1' };
        return either(i).transact(setUp(store, tokens[i % 3] ?? '', details, NOW).steps, true);
      }),
    );
    assert.equal(outcomes.filter(({ done }) => done).length, 1);
    assert.equal(await isSetupNeeded(store), false);
    assert.equal(await openSetup(store, NOW), undefined);
    const late = mintOneTime(store, 'setup', null, NOW);
    const second = { email: 'o60@example.com', name: 'O', password: 'hash', address: '::1' };
    await store.transact([late.step]);
    assert.equal((await store.transact(setUp(store, late.token, second, NOW).steps, true)).done, false);
    const [counted] = await query(store, "SELECT count(*) AS owners FROM member WHERE role = 'owner'");
    assert.equal(counted?.owners, 1);
  });

  test('a token works once, for its purpose, until it expires', async () => {
    const { either, person, store } = portal();
    const id = await person();
    const { token, step } = mintOneTime(store, 'reset', id, NOW);
    await store.transact([step]);
    const use = (purpose: 'reset' | 'setup', now: number, i = 0) =>
      either(i).transact([useOneTime(purpose, token, now)]);
    assert.equal((await use('setup', NOW)).done, false);
    assert.equal((await use('reset', NOW + HOUR)).done, false);
    assert.equal(await findOneTime(store, 'setup', token, NOW), undefined);
    assert.equal(await findOneTime(store, 'reset', token, NOW + HOUR), undefined);
    assert.equal(await findOneTime(store, 'reset', token, NOW + HOUR - 1), id);
    const uses = await Promise.all(Array.from({ length: 40 }, (_, i) => use('reset', NOW, i)));
    assert.equal(uses.filter(({ done }) => done).length, 1);
  });

  test('each kind of token has its own time', async () => {
    const { person, store } = portal();
    const id = await person();
    for (const [purpose, goodFor] of [
      ['setup', 24 * HOUR],
      ['reset', HOUR],
      ['second-factor', HOUR / 6],
    ] as const) {
      const { token, step } = mintOneTime(store, purpose, id, NOW);
      await store.transact([step]);
      assert.equal(await findOneTime(store, purpose, token, NOW + goodFor - 1), id, purpose);
      assert.equal(await findOneTime(store, purpose, token, NOW + goodFor), undefined, purpose);
      if (purpose !== 'setup') await store.transact([dropOneTimes(id, purpose)]);
    }
  });

  test('a recovery code is used once', async () => {
    const { either, person, store } = portal();
    const id = await person();
    const { codes, steps } = mintRecoveryCodes(store, id);
    await store.transact(steps);
    assert.equal(codes.length, 10);
    const byAnother = await store.transact([useRecoveryCode(await person(), codes[2] ?? '')]);
    assert.equal(byAnother.done, false, 'it is good for its own person only');
    const uses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        either(i).transact([lockPerson(id), useRecoveryCode(id, codes[i % 2]?.toUpperCase() ?? '')]),
      ),
    );
    assert.equal(uses.filter(({ done }) => done).length, 2);
    assert.equal((await readMe(store, id)).recovery_codes_left, 8);
  });

  test('a password is replaced once, by who knew the one before', async () => {
    const { either, person, store } = portal();
    const id = await person();
    const other = await person();
    const changes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => either(i).transact([changePassword(id, 'hash', `new ${i}`)])),
    );
    assert.equal(changes.filter(({ done }) => done).length, 1);
    assert.equal((await store.transact([changePassword(id, null, 'taken over')])).done, false);
    assert.match((await findPersonById(store, id))?.password ?? '', /^new /);
    assert.equal((await findPersonById(store, other))?.password, 'hash');
  });

  test('the secret of an authenticator opens for its own person only', async () => {
    const { person, store } = portal();
    const keyring = new Keyring('a secret for these tests only, yes');
    const [id, other] = [await person(), await person()];
    const { secret, step } = beginTotp({ records: store, keyring }, id);
    await store.transact([step, beginTotp({ records: store, keyring }, other).step]);
    const take =
      'UPDATE totp SET sealed = (SELECT sealed FROM totp WHERE person_id = $1) WHERE person_id = $2';
    await query(store, take, id, other);
    const code = totp(secret, NOW);
    const deps = { records: store, keyring };
    assert.ok(await confirmTotp(deps, { personId: id, code }, NOW));
    await assert.rejects(confirmTotp(deps, { personId: other, code }, NOW), /not sealed here/);
  });

  test('an authenticator that was replaced meanwhile is neither confirmed nor used', async () => {
    const { person, store } = portal();
    const deps = { records: store, keyring: new Keyring('a secret for these tests only, yes') };
    const personId = await person();
    const begin = async () => {
      const { secret, step } = beginTotp(deps, personId);
      await store.transact([step]);
      return { personId, code: totp(secret, NOW) };
    };
    const first = await confirmTotp(deps, await begin(), NOW);
    const guess = await begin();
    const second = await confirmTotp(deps, guess, NOW);
    assert.ok(first && second);
    assert.equal((await store.transact([first])).done, false);
    assert.equal((await store.transact([findTotp(personId)])).done, false);
    assert.equal((await store.transact([second])).done, true);
    assert.equal((await store.transact([findTotp(personId)])).done, true);
    await query(store, 'UPDATE totp SET last_step = 0 WHERE person_id = $1', personId);
    const spend = await spendTotp(deps, guess, NOW);
    assert.ok(spend);
    await query(store, 'UPDATE totp SET confirmed_at = confirmed_at + 1 WHERE person_id = $1', personId);
    assert.equal((await store.transact([spend])).done, false);
  });

  test('an authenticator that is replaced while it is sealed again stays replaced', async () => {
    const { person, store } = portal();
    // Of its own, so that nothing of the other tests is sealed again.
    const [old, current] = ['an old secret for this test only, ', 'the next secret for this test only'];
    const [before, during] = [new Keyring(old), new Keyring(current, old)];
    const personId = await person();
    await store.transact([beginTotp({ records: store, keyring: before }, personId).step]);
    const { secret, step } = beginTotp({ records: store, keyring: during }, personId);
    let replacing: Promise<unknown> | undefined;
    const transact: Store['transact'] = async (steps) => {
      const answer = await store.transact(steps);
      replacing ??= store.transact([step]);
      await replacing;
      return answer;
    };
    await resealTotp({ ...store, transact }, during);
    const guess = { personId, code: totp(secret, NOW) };
    assert.ok(await confirmTotp({ records: store, keyring: during }, guess, NOW));
  });

  test('an authenticator that somebody altered keeps no other from a new secret', async () => {
    const { person, store } = portal();
    // Of its own, as above.
    const [old, current] = ['another old secret for this test only', 'another next secret for this test'];
    const [before, during] = [new Keyring(old), new Keyring(current, old)];
    const [altered, intact] = [await person(), await person()];
    for (const id of [altered, intact])
      await store.transact([beginTotp({ records: store, keyring: before }, id).step]);
    await query(store, "UPDATE totp SET sealed = sealed || 'A' WHERE person_id = $1", altered);
    assert.equal((await resealTotp(store, during)).sealed, 1);
    const [row] = await query(store, 'SELECT sealed FROM totp WHERE person_id = $1', intact);
    assert.ok(during.isCurrent(String(row?.sealed)));
  });

  test('a reset takes nothing from anybody else', async () => {
    const { person, store } = portal();
    const [id, other] = [await person(), await person()];
    const { token, step } = mintOneTime(store, 'reset', id, NOW);
    await store.transact([step]);
    await giveAll(store, other);
    const tables = ['one_time', 'totp', 'recovery_code', 'identity', 'passkey', 'session'];
    const held = () =>
      Promise.all([
        findPersonById(store, other),
        ...tables.map((table) =>
          query(store, `SELECT * FROM ${table} WHERE person_id = $1 ORDER BY 1, 2`, other),
        ),
      ]);
    const before = await held();
    assert.deepEqual(
      before.slice(1).map((rows) => Array.isArray(rows) && rows.length),
      [1, 1, 10, 1, 1, 1],
    );
    const { steps } = reset(store, token, { id, password: 'another hash', address: '::1' }, NOW);
    assert.equal((await store.transact(steps)).done, true);
    assert.deepEqual(await held(), before);
    // And everything from whoever it was for.
    const again = mintOneTime(store, 'reset', other, NOW);
    await store.transact([again.step]);
    const own = reset(store, again.token, { id: other, password: 'another hash', address: '::1' }, NOW);
    assert.equal((await store.transact(own.steps)).done, true);
    assert.equal((await store.transact(own.steps)).done, false, 'a link is good once');
    const [after, ...rows] = await held();
    const left = { ...before[0], password: 'another hash', devices: own.owner.devices };
    assert.deepEqual(after, left);
    assert.notEqual(own.owner.devices, '');
    assert.deepEqual(rows, [[], [], [], [], [], []]);
  });

  test('the first word of a provider for an address ends what was set up before, and takes nothing from anybody else', async () => {
    const { person, store } = portal();
    const [id, other] = [await person(), await person()];
    const tables = ['one_time', 'totp', 'recovery_code', 'passkey', 'session'];
    for (const each of [id, other]) await giveAll(store, each);
    const held = (whose: string) =>
      Promise.all(
        tables.map((table) => query(store, `SELECT * FROM ${table} WHERE person_id = $1 ORDER BY 1`, whose)),
      );
    const before = [await findPersonById(store, other), ...(await held(other))];
    const { owner, steps } = beginAnew(store, id, 'Pat Proven');
    const outcomes = await Promise.all([0, 1].map(() => store.transact([lockPerson(id), ...steps])));
    assert.deepEqual(outcomes.map(({ done }) => done).sort(), [false, true], 'there is one first time');
    const now = await findPersonById(store, id);
    assert.deepEqual([now?.name, now?.password, now?.vouched], ['Pat Proven', null, true]);
    assert.equal(now?.devices, owner.devices);
    assert.deepEqual(await held(id), [[], [], [], [], []]);
    assert.deepEqual([await findPersonById(store, other), ...(await held(other))], before);
  });

  test('guesses are counted exactly, and the wait grows', async () => {
    const { either } = portal();
    const subject = ofPassword(mintId('x', SYSTEM_RANDOM));
    const guess = (now: number, i = 0) => takeGuess(either(i), [subject], now);
    const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(NOW, i)));
    assert.equal(burst.filter(({ ok }) => ok).length, 5);
    let now = NOW;
    for (const seconds of [10, 40, 90, 160, 250, 360, 490, 640, 810, 900, 900]) {
      assert.deepEqual(await guess(now), { ok: false, retryAfterMs: seconds * 1_000 });
      now += seconds * 1_000;
      const after = await Promise.all(Array.from({ length: 10 }, (_, i) => guess(now, i)));
      assert.equal(after.filter(({ ok }) => ok).length, 1);
    }
    assert.deepEqual(await guess(now + 25 * HOUR), { ok: true });
    assert.deepEqual(await guess(now + 25 * HOUR), { ok: true }, 'what is old is forgotten');
  });

  test('refusals of five minutes are counted in one entry per account, even if they come at once', async () => {
    const { account, either, person, store } = portal();
    const personId = await person();
    const accounts = await Promise.all([account(), account()]);
    await store.transact(accounts.map((id) => addMember(id, personId, 'viewer', NOW)));
    const note = (at: number, i = 0) =>
      noteRefusal(either(i), { personId, action: 'password.refused', address: '2001:db8::1:2', at });
    await Promise.all(Array.from({ length: 40 }, (_, i) => note(NOW, i)));
    await noteRefusal(store, { personId, action: 'second-factor.refused', address: '192.0.2.7', at: NOW });
    await note(NOW + 5 * MINUTE + SECOND);
    for (const id of accounts) {
      const { entries } = await readAuditLog(store, id);
      assert.deepEqual(
        entries.map(({ action, who, detail, address }) => [action, who, detail, address]),
        [
          ['password.refused', 'somebody', '', '2001:db8:0:0::/64'],
          ['second-factor.refused', 'somebody', '', '192.0.2.0/24'],
          ['password.refused', 'somebody', '40 times within an hour', '2001:db8:0:0::/64'],
        ],
      );
    }
  });

  test('a refusal is not counted in the entry of a clock that was ahead', async () => {
    const { account, person, store } = portal();
    const [accountId, personId] = [await account(), await person()];
    await store.transact([addMember(accountId, personId, 'viewer', NOW)]);
    for (const at of [NOW + 24 * HOUR, NOW, NOW + 1_000])
      await noteRefusal(store, { personId, action: 'password.refused', address: '192.0.2.7', at });
    const { entries } = await readAuditLog(store, accountId);
    assert.deepEqual(
      entries.map(({ at, detail }) => [at, detail]),
      [
        [NOW + 24 * HOUR, ''],
        [NOW, '2 times within an hour'],
      ],
    );
  });

  test('refusals of two members are counted apart', async () => {
    const { account, person, store } = portal();
    const [accountId, ada, bob] = [await account(), await person(), await person()];
    await store.transact([ada, bob].map((id) => addMember(accountId, id, 'viewer', NOW)));
    const note = (personId: string) =>
      noteRefusal(store, { personId, action: 'password.refused', address: '192.0.2.7', at: NOW });
    for (const id of [ada, bob, bob]) await note(id);
    const { entries } = await readAuditLog(store, accountId);
    assert.deepEqual(entries.map(({ detail }) => detail).sort(), ['', '2 times within an hour']);
    assert.equal(new Set(entries.map(({ subject }) => subject)).size, 2);
  });

  test('a guess that one limit refuses counts against no other', async () => {
    const { store } = portal();
    const [one, other] = [ofPassword(mintId('x', SYSTEM_RANDOM)), ofSource('2001:db8::1', 'password')];
    for (let i = 0; i < 30; i++) await takeGuess(store, [other, one], NOW);
    // Nor does what is returned to another address.
    await store.transact([returnGuess(ofSource('2001:db8:1::1', 'password'))]);
    const free = await Promise.all(
      Array.from({ length: 40 }, () => takeGuess(store, [ofSource('2001:db8::ffff:2', 'password')], NOW)),
    );
    assert.equal(free.filter(({ ok }) => ok).length, 15, 'five of the network’s twenty were spent');
  });

  test('an identity is one person’s, a person has one of each issuer, and some way to sign in remains', async () => {
    const { either, person, store } = portal();
    const issuer = 'https://sso.example.com';
    const subject = mintId('sub', SYSTEM_RANDOM);
    const people = await Promise.all(Array.from({ length: 10 }, () => person()));
    const linked = await Promise.all(
      people.map((id, i) =>
        either(i).transact([lockPerson(id), linkIdentity(store, id, { issuer, subject }, NOW)]),
      ),
    );
    assert.equal(linked.filter(({ done }) => done).length, 1);
    const first = people[linked.findIndex(({ done }) => done)] ?? '';
    const id = await person();
    const links = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        either(i).transact([
          lockPerson(id),
          linkIdentity(store, id, { issuer, subject: mintId('sub', SYSTEM_RANDOM) }, NOW),
        ]),
      ),
    );
    assert.equal(links.filter(({ done }) => done).length, 1);
    const other = { issuer: 'https://other.example.com', subject };
    assert.equal((await store.transact([linkIdentity(store, id, other, NOW)])).done, true);
    assert.equal(await findLinked(store, other), id);
    assert.equal(await findLinked(store, { issuer, subject }), first, 'two providers may use one subject');

    const { identities } = await readMe(store, id);
    assert.deepEqual(
      identities.map((identity) => identity.issuer),
      [other.issuer, issuer],
    );
    const used = await store.transact([touch(first, other, NOW)]);
    assert.equal(used.done, false, 'by nobody else');
    const byAnother = [unlink(people[0] ?? '', identities[0]?.id ?? '')];
    assert.equal((await store.transact(byAnother)).done, false);
    await query(store, 'UPDATE person SET password = NULL WHERE id = $1', id);
    const part = async () => {
      const steps = [lockPerson(id), unlink(id, identities[0]?.id ?? ''), keepsAnotherWay(id)];
      return (await store.transact(steps)).done;
    };
    assert.equal(await part(), false, 'an identity is no other way: its provider may be gone');
    await query(
      store,
      "INSERT INTO passkey VALUES ($1, $2, 'Laptop', 'key', 0, '[]', 1, NULL)",
      mintId('pk', SYSTEM_RANDOM),
      id,
    );
    assert.equal(await part(), true);
    assert.equal(await findLinked(store, other), undefined);
  });
});
