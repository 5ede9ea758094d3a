/** A clock that was ahead and has been corrected: nobody is locked out for longer than at any other time, and nothing is valid for longer. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  admitCarrierTest,
  type NewCarrierTest,
  TESTS_PER_ACCOUNT,
} from '../../../../src/accounts/carrier-tests.ts';
import { findInvitation, invite } from '../../../../src/accounts/invitations.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { addPerson } from '../../../../src/accounts/people.ts';
import { hashToken } from '../../../../src/accounts/token.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { query, type Records, type Value } from '../../../../src/core/sql/records.ts';
import { formatDuration } from '../../../../src/core/verification/limits.ts';
import { totpAt } from '../../../../src/identity/factors/totp.ts';
import { beginTotp, confirmTotp, spendTotp } from '../../../../src/identity/factors/totp-secret.ts';
import { findOneTime, markUsed, mintOneTime } from '../../../../src/identity/sign-in/one-time.ts';
import { findSession, IDLE_MS, isProofFresh } from '../../../../src/identity/sign-in/session.ts';
import { ofPassword, takeGuess } from '../../../../src/identity/sign-in/throttle.ts';
import { sweep } from '../../../../src/portal/sweep.ts';
import { DAY, HOUR, LAX, LEASE, MINUTE, type OpenStore, openFor, SECOND, unique } from '../rig.ts';

const NOW = Date.UTC(2026, 10, 23, 12, 0, 10);
const ADA = { name: 'Ada', address: '192.0.2.1' };
const STEP = 30 * SECOND;
/** Further than the clocks of nodes may differ. */
const AHEAD = [5 * MINUTE, DAY];

export function describeClockOfPeople(open: OpenStore): void {
  suite('a clock that was ahead, and people', () => {
    for (const ahead of AHEAD) {
      const by = `by ${formatDuration(ahead)}`;

      test(`${by}: whoever mistyped waits no longer than at any other time`, async (t) => {
        const { store } = await openFor(t, open);
        const [subject, once] = [ofPassword(unique('who')), ofPassword(unique('who'))];
        const guess = (of: typeof subject, at: number) => takeGuess(store, [of], at);
        for (let i = 0; i < subject.free; i++) assert.ok((await guess(subject, NOW + ahead)).ok);
        assert.ok((await guess(once, NOW + ahead)).ok);
        await store.clampFutureTimes(NOW, LEASE);
        assert.deepEqual(await guess(subject, NOW + SECOND), { ok: false, retryAfterMs: 9 * SECOND });
        assert.ok((await guess(subject, NOW + 10 * SECOND)).ok);
        for (let i = 1; i < once.free; i++) assert.ok((await guess(once, NOW + SECOND)).ok);
        assert.equal((await guess(once, NOW + SECOND)).ok, false, 'what was guessed stays counted');
      });

      test(`${by}: guesses are forgotten a day from now`, async (t) => {
        const { store } = await openFor(t, open);
        const subject = ofPassword(unique('who'));
        const guess = (at: number) => takeGuess(store, [subject], at);
        for (let i = 0; i < subject.free; i++) assert.ok((await guess(NOW + ahead)).ok);
        await store.clampFutureTimes(NOW, LEASE);
        for (let i = 0; i < subject.free; i++) assert.ok((await guess(NOW + DAY)).ok);
      });

      test(`${by}: a session lasts from now on, and so does its proof`, async (t) => {
        const { store } = await openFor(t, open);
        const { person } = await people(store);
        const token = unique('token');
        await addSession(store, person, token, NOW + ahead);
        await store.clampFutureTimes(NOW, LEASE);
        const session = await findSession(store, token, undefined, NOW + SECOND);
        assert.ok(session !== undefined);
        const fresh = [10 * MINUTE - 1, 10 * MINUTE].map((after) => isProofFresh(session, NOW + after));
        assert.deepEqual(fresh, [true, false]);
        assert.equal(await findSession(store, token, undefined, NOW + IDLE_MS), undefined);
        const [row] = await query(store, 'SELECT created_at, last_used_at FROM session');
        assert.deepEqual({ ...row }, { created_at: NOW, last_used_at: NOW });
      });

      test(`${by}: an authenticator is taken again within a minute or two`, async (t) => {
        const { store } = await openFor(t, open);
        const { person } = await people(store);
        const deps = { records: store, keyring: new Keyring('k'.repeat(32)) };
        const { secret, step } = beginTotp(deps, person);
        const codeAt = (at: number) => ({ personId: person, code: totpAt(secret, Math.floor(at / STEP)) });
        await store.transact([step]);
        const begun = await confirmTotp(deps, codeAt(NOW - HOUR), NOW - HOUR);
        assert.ok(begun !== undefined);
        await store.transact([begun]);
        const spend = async (at: number) => {
          const spent = await spendTotp(deps, codeAt(at), at);
          return spent !== undefined && (await store.transact([spent])).done;
        };
        assert.ok(await spend(NOW + ahead));
        await store.clampFutureTimes(NOW, LEASE);
        assert.equal(await spend(NOW), false, 'it may have been used before the clock was ahead');
        assert.ok(await spend(NOW + 3 * MINUTE));
      });

      test(`${by}: links and steps of a sign-in are valid for their time from now on`, async (t) => {
        const { store } = await openFor(t, open);
        const { person, accountId } = await people(store);
        for (const [purpose, lasts] of [
          ['setup', DAY],
          ['reset', HOUR],
          ['second-factor', 10 * MINUTE],
        ] as const) {
          const { token, step } = mintOneTime(store, purpose, person, NOW + ahead);
          await store.transact([step]);
          await store.clampFutureTimes(NOW, LEASE);
          assert.equal(await findOneTime(store, purpose, token, NOW + lasts - 1), person);
          assert.equal(await findOneTime(store, purpose, token, NOW + lasts), undefined);
        }
        const wish = { accountId, email: 'new@example.com', role: 'viewer' } as const;
        const invited = await invite(store, wish, ADA, NOW + ahead);
        assert.ok(invited.kind === 'invited');
        await store.clampFutureTimes(NOW, LEASE);
        assert.equal((await findInvitation(store, invited.token, NOW + 3 * DAY - 1))?.accountId, accountId);
        assert.equal(await findInvitation(store, invited.token, NOW + 3 * DAY), undefined);
      });

      test(`${by}: what was used once stays used until it has expired`, async (t) => {
        const { store } = await openFor(t, open);
        const use = async () =>
          (await store.transact([markUsed('passkey', 'hash', NOW + ahead + 5 * MINUTE)])).done;
        assert.ok(await use());
        await store.clampFutureTimes(NOW, LEASE);
        await sweep(store, LAX.retention, NOW + ahead);
        assert.equal(await use(), false);
      });

      test(`${by}: tests of carriers count as asked for now`, async (t) => {
        const { store } = await openFor(t, open);
        const { accountId } = await people(store);
        const admit = async (now: number) => {
          const test: NewCarrierTest = {
            ...{ id: unique('ver'), accountId, carrier: 'acme', channel: 'sms', number: '+49•••78' },
            ...{ keyHashes: [], by: ADA, now },
          };
          return await admitCarrierTest(store, test);
        };
        for (let i = 0; i < TESTS_PER_ACCOUNT; i++) await admit(NOW + ahead);
        await store.clampFutureTimes(NOW, LEASE);
        assert.deepEqual(await admit(NOW + SECOND), { kind: 'too-many', retryAfterMs: HOUR - SECOND });
        assert.equal((await admit(NOW + HOUR)).kind, 'admitted');
      });

      test(`${by}: alerts go on, and letters that were sent count for an hour`, async (t) => {
        const { store } = await openFor(t, open);
        const at = NOW + ahead;
        await insert(store, 'alert', {
          ...{ id: 'alr', account_id: '', rule: 'r', subject: 's', detail: '', place: '' },
          ...{ bad_since: at, firing_since: at, good_since: at, told_at: NOW - HOUR, over_at: null },
        });
        const notice = {
          ...{ alert_id: 'alr', account_id: '', channel: 'email', target: '', kind: 'firing', facts: '{}' },
        };
        const waits = { due_at: at + 2 * HOUR, last_try_at: null, sent_at: null };
        await insert(store, 'alert_notice', { ...notice, id: 'waits', at, ...waits });
        const gone = { due_at: null, last_try_at: at, sent_at: at };
        await insert(store, 'alert_notice', { ...notice, id: 'gone', at: NOW - HOUR, ...gone });
        await store.clampFutureTimes(NOW, LEASE);
        const [alert] = await query(
          store,
          'SELECT bad_since, firing_since, good_since, told_at, over_at FROM alert',
        );
        assert.deepEqual(
          { ...alert },
          { bad_since: NOW, firing_since: NOW, good_since: NOW, told_at: NOW - HOUR, over_at: null },
        );
        const notices = await query(
          store,
          'SELECT at, due_at, last_try_at, sent_at FROM alert_notice ORDER BY id DESC',
        );
        const [waiting, sent] = notices.map((row) => ({ ...row }));
        assert.equal(waiting?.at, NOW);
        assert.ok(Number(waiting?.due_at) <= NOW + 2 * HOUR, 'due soon');
        assert.deepEqual(sent, { at: NOW - HOUR, due_at: null, last_try_at: NOW, sent_at: NOW });
      });

      test(`${by}: the next use of a key, a passkey or an identity is the last`, async (t) => {
        const { store } = await openFor(t, open);
        const { person, keyId } = await people(store);
        const keys = createKeys(store);
        await keys.touchKeys([{ id: keyId, at: NOW + ahead, from: '192.0.2.7' }]);
        await insert(store, 'passkey', {
          ...{ id: 'psk', person_id: person, name: 'phone', public_key: '', counter: 0, transports: '[]' },
          ...{ created_at: NOW - DAY, last_used_at: NOW + ahead },
        });
        await insert(store, 'identity', {
          ...{ issuer: 'idp', subject: 'ada', id: 'idn', person_id: person },
          ...{ created_at: NOW - DAY, last_used_at: NOW + ahead },
        });
        await store.clampFutureTimes(NOW, LEASE);
        await keys.touchKeys([{ id: keyId, at: NOW + SECOND, from: '192.0.2.8' }]);
        const used = await query(
          store,
          `SELECT last_used_at AS at FROM api_key UNION ALL SELECT last_used_at FROM passkey
            UNION ALL SELECT last_used_at FROM identity`,
        );
        assert.deepEqual(
          used.map(({ at }) => at),
          [NOW + SECOND, NOW, NOW],
        );
      });
    }

    test('what is dated correctly is left as it is', async (t) => {
      const { store } = await openFor(t, open);
      // A node may be ahead of the others a little, and what it writes is not dated ahead.
      const at = store.isShared ? NOW + MINUTE : NOW;
      const { person, accountId, keyId } = await people(store);
      const subject = ofPassword(unique('who'));
      for (let i = 0; i < subject.free; i++) await takeGuess(store, [subject], at);
      await addSession(store, person, unique('token'), at);
      await createKeys(store).touchKeys([{ id: keyId, at, from: '192.0.2.7' }]);
      for (const purpose of ['reset', 'second-factor'] as const)
        await store.transact([mintOneTime(store, purpose, person, at).step]);
      await store.transact([mintOneTime(store, 'setup', null, at).step]);
      await invite(store, { accountId, email: 'new@example.com', role: 'viewer' }, ADA, at);
      const lastStep = Math.floor(at / STEP) + 1;
      await insert(store, 'totp', { person_id: person, sealed: '', last_step: lastStep, confirmed_at: NOW });
      assert.equal(await store.clampFutureTimes(NOW, LEASE), 0);
    });
  });
}

async function people(store: Records) {
  const [keyId, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
  const key = { id: keyId, prefix, hash, name: 'web', test: false, createdAt: 1 };
  const { accountId } = await createKeys(store).createKey(unique('account'), key, ADA);
  const person = unique('per');
  await store.transact([addPerson({ id: person, email: `${person}@x.test`, name: 'Ada', password: 'h' }, 1)]);
  return { accountId, keyId, person };
}

const addSession = (store: Records, person: string, token: string, at: number) =>
  insert(store, 'session', {
    ...{ hash: hashToken(token), id: unique('ses'), person_id: person, method: 'password' },
    ...{ address: '', agent: '', created_at: at, last_used_at: at, proven_at: at },
  });

async function insert(store: Records, table: string, row: Readonly<Record<string, Value>>): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const sql = `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`;
  await store.transact([{ sql, args: Object.values(row) }]);
}
