/** What the portal's statements promise under races, over each store. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { query } from '../../src/core/records.ts';
import { auditPersonStep, auditStep, readAuditLog } from '../../src/portal/audit.ts';
import {
  acceptInvitation,
  findInvitation,
  invite,
  withdrawInvitation,
} from '../../src/portal/invitations.ts';
import { readKeyNames } from '../../src/portal/key-names.ts';
import { addMember, changeMember, type MemberChange, readMembers } from '../../src/portal/members.ts';
import { findLinked, keepsAnotherWay, link, unlink } from '../../src/portal/oidc/identities.ts';
import { mintOneTime, useOneTime } from '../../src/portal/one-time.ts';
import { addPerson, findPersonByEmail, lockPerson, readMe } from '../../src/portal/people.ts';
import { mintRecoveryCodes, useRecoveryCode } from '../../src/portal/recovery-codes.ts';
import { noteRefusal } from '../../src/portal/refusals.ts';
import { isSetupNeeded, openSetup, setUp } from '../../src/portal/setup.ts';
import { onBehalfOf, StandingLost } from '../../src/portal/standing.ts';
import { sweep } from '../../src/portal/sweep.ts';
import { ofPassword, ofSource, takeGuess } from '../../src/portal/throttle.ts';
import { mintId } from '../../src/portal/token.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startPostgres } from '../postgres.ts';
import { LAX } from '../store/contract/rig.ts';
import { openNode } from '../store/postgres/rig.ts';

const NOW = Date.now();
const HOUR = 3_600_000;

/** Two ways into one store, where it has them. */
interface Opened {
  readonly stores: readonly [Store, Store];
  close(): Promise<void>;
}

function describePortal(name: string, open: () => Promise<Opened>): void {
  suite(`the portal over ${name}`, () => {
    let opened: Opened;
    let store: Store;
    before(async () => {
      opened = await open();
      [store] = opened.stores;
    });
    after(() => opened.close());

    const either = (i: number) => opened.stores[i % 2 === 0 ? 0 : 1];
    const account = async () => {
      const id = mintId('acc');
      await query(store, 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, $2)', id, NOW);
      return id;
    };
    const person = async (email = `${mintId('x')}@example.com`) => {
      const id = mintId('per');
      await store.transact([addPerson({ id, email, name: 'Pat', password: 'hash' }, NOW)]);
      return id;
    };

    test('of many set-ups with several links at once, one makes the owner', async () => {
      const tokens = await Promise.all([0, 1, 2].map((i) => openSetup(either(i), NOW)));
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, i) => {
          const details = { email: `o${i}@example.com`, name: 'O', password: 'hash', address: '::1' };
          return either(i).transact(setUp(tokens[i % 3] ?? '', details, NOW).steps, true);
        }),
      );
      assert.equal(outcomes.filter(({ done }) => done).length, 1);
      assert.equal(await isSetupNeeded(store), false);
      assert.equal(await openSetup(store, NOW), undefined);
      const [counted] = await query(store, "SELECT count(*) AS owners FROM member WHERE role = 'owner'");
      assert.equal(counted?.owners, 1);
    });

    test('a token is used once, for its purpose, in its time', async () => {
      const id = await person();
      const { token, step } = mintOneTime('reset', id, NOW);
      await store.transact([step]);
      const use = (purpose: 'reset' | 'setup', now: number, i = 0) =>
        either(i).transact([useOneTime(purpose, token, now)]);
      assert.equal((await use('setup', NOW)).done, false);
      assert.equal((await use('reset', NOW + HOUR)).done, false);
      const uses = await Promise.all(Array.from({ length: 40 }, (_, i) => use('reset', NOW, i)));
      assert.equal(uses.filter(({ done }) => done).length, 1);
    });

    test('a recovery code is used once', async () => {
      const id = await person();
      const { codes, steps } = mintRecoveryCodes(id);
      await store.transact(steps);
      assert.equal(codes.length, 10);
      const uses = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          either(i).transact([lockPerson(id), useRecoveryCode(id, codes[i % 2]?.toUpperCase() ?? '')]),
        ),
      );
      assert.equal(uses.filter(({ done }) => done).length, 2);
      assert.equal((await readMe(store, id)).recovery_codes_left, 8);
    });

    test('guesses are counted exactly, and the wait grows', async () => {
      const subject = ofPassword(mintId('x'));
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

    test('refusals of an hour are counted in one entry of each account, also when they come at once', async () => {
      const personId = await person();
      const accounts = await Promise.all([account(), account()]);
      await store.transact(accounts.map((id) => addMember(id, personId, 'viewer', NOW)));
      const note = (at: number, i = 0) =>
        noteRefusal(either(i), { personId, action: 'password.refused', address: '2001:db8::1:2', at });
      await Promise.all(Array.from({ length: 40 }, (_, i) => note(NOW, i)));
      await noteRefusal(store, { personId, action: 'second-factor.refused', address: '192.0.2.7', at: NOW });
      await note(NOW + HOUR + 1_000);
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

    test('a guess that one limit refuses counts against no other', async () => {
      const [one, other] = [ofPassword(mintId('x')), ofSource('2001:db8::1', 'password')];
      for (let i = 0; i < 30; i++) await takeGuess(store, [other, one], NOW);
      const free = await Promise.all(
        Array.from({ length: 40 }, () => takeGuess(store, [ofSource('2001:db8::ffff:2', 'password')], NOW)),
      );
      assert.equal(free.filter(({ ok }) => ok).length, 15, 'five of the network’s twenty were spent');
    });

    test('of owners who end one another at once, one is left', async () => {
      for (let round = 0; round < 5; round++) {
        const accountId = await account();
        const owners = await Promise.all(Array.from({ length: 4 }, () => person()));
        await store.transact(owners.map((id) => addMember(accountId, id, 'owner', NOW)));
        const outcomes = await Promise.all(
          owners.flatMap((personId, i) =>
            owners.map((target, j) => {
              const member = {
                personId,
                personName: 'Pat',
                accountId,
                role: 'owner',
                address: '::1',
              } as const;
              const by = { ...member, records: onBehalfOf(either(i), member, 'owner') };
              const change = changeMember(by, target, j % 2 === 0 ? null : 'viewer', NOW);
              return change.catch((error: unknown): MemberChange | 'not allowed' => {
                if (error instanceof StandingLost) return 'not allowed';
                throw error;
              });
            }),
          ),
        );
        const { members } = await readMembers(store, accountId, NOW);
        assert.equal(members.filter(({ role }) => role === 'owner').length, 1, String(outcomes));
        const { entries } = await readAuditLog(store, accountId);
        assert.equal(entries.length, outcomes.filter((outcome) => outcome === 'done').length);
      }
    });

    test('an invitation is accepted once, and not after it was withdrawn or replaced', async () => {
      const accountId = await account();
      const wanted = { accountId, email: 'guest@example.com', role: 'viewer' } as const;
      const by = { who: 'Pat', address: null };
      const first = await invite(store, wanted, by, NOW);
      const second = await invite(store, { ...wanted, role: 'developer' }, by, NOW);
      assert.ok(first.kind === 'invited' && second.kind === 'invited');
      assert.equal(await findInvitation(store, first.token, NOW), undefined);
      assert.equal(await findInvitation(store, second.token, NOW + 72 * HOUR), undefined);
      const open = await findInvitation(store, second.token, NOW);
      assert.ok(open?.role === 'developer');
      const guests = await Promise.all(Array.from({ length: 10 }, () => person()));
      const accepted = await Promise.all(
        guests.map((id, i) =>
          either(i).transact(acceptInvitation(second.token, open, { id, name: 'Pat', address: '::1' }, NOW)),
        ),
      );
      assert.equal(accepted.filter(({ done }) => done).length, 1);
      const third = await invite(store, wanted, by, NOW);
      assert.ok(third.kind === 'invited');
      assert.equal((await store.transact([withdrawInvitation(accountId, third.id)])).done, true);
      assert.equal(await findInvitation(store, third.token, NOW), undefined);
    });

    test('one address is one person', async () => {
      const email = `${mintId('x')}@example.com`;
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          either(i).transact([addPerson({ id: mintId('per'), email, name: 'Pat', password: null }, NOW)]),
        ),
      );
      assert.equal(added.filter(({ done }) => done).length, 1);
      assert.equal((await findPersonByEmail(store, email))?.totp, false);
    });

    test('an identity is one person’s, a person has one of each issuer, and some way to sign in remains', async () => {
      const issuer = 'https://sso.example.com';
      const subject = mintId('sub');
      const people = await Promise.all(Array.from({ length: 10 }, () => person()));
      const linked = await Promise.all(
        people.map((id, i) => either(i).transact([lockPerson(id), link(id, { issuer, subject }, NOW)])),
      );
      assert.equal(linked.filter(({ done }) => done).length, 1);
      const id = await person();
      const links = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          either(i).transact([lockPerson(id), link(id, { issuer, subject: mintId('sub') }, NOW)]),
        ),
      );
      assert.equal(links.filter(({ done }) => done).length, 1);
      const other = { issuer: 'https://other.example.com', subject };
      assert.equal((await store.transact([link(id, other, NOW)])).done, true);
      assert.equal(await findLinked(store, other), id);

      const { identities } = await readMe(store, id);
      assert.deepEqual(
        identities.map((identity) => identity.issuer),
        [other.issuer, issuer],
      );
      await query(store, 'UPDATE person SET password = NULL WHERE id = $1', id);
      const part = async () => {
        const steps = [lockPerson(id), unlink(id, identities[0]?.id ?? ''), keepsAnotherWay(id)];
        return (await store.transact(steps)).done;
      };
      assert.equal(await part(), false, 'an identity is no other way: its provider may be gone');
      await query(
        store,
        "INSERT INTO passkey VALUES ($1, $2, 'Laptop', 'key', 0, '[]', 1, NULL)",
        mintId('pk'),
        id,
      );
      assert.equal(await part(), true);
      assert.equal(await findLinked(store, other), undefined);
    });

    test('the audit log is in order of time, and within a moment as things were done', async () => {
      const accountId = await account();
      const entry = { accountId, who: 'Pat', address: null, action: 'x', detail: '' };
      const done = Array.from({ length: 250 }, (_, i) => ({ at: NOW + Math.floor(i / 50), subject: `${i}` }));
      for (const { at, subject } of done.slice(200))
        await store.transact([auditStep({ ...entry, at, subject })]);
      await store.transact(done.slice(0, 200).map((each) => auditStep({ ...entry, ...each })));
      const read: string[] = [];
      for (let next: string | null | undefined; next !== null; ) {
        const page = await readAuditLog(store, accountId, next);
        read.push(...page.entries.map(({ subject }) => subject));
        next = page.next;
      }
      assert.deepEqual(read, done.map(({ subject }) => subject).reverse());
    });

    test('a key that is over goes once nothing shows any more that was done with it', async () => {
      const accountId = await account();
      const day = 24 * HOUR;
      const over = async (days: number, column: 'revoked_at' | 'expires_at') => {
        const id = mintId('key');
        await query(
          store,
          `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at, ${column})
            VALUES ($1, $2, $1, $5 = 1, $1, $1, $3, $4)`,
          ...[id, accountId, NOW - 999 * day, NOW - days * day, 0],
        );
        return id;
      };
      const kept = [await over(99, 'revoked_at'), await over(99, 'expires_at'), await over(-1, 'expires_at')];
      await over(103, 'revoked_at');
      await over(103, 'expires_at');
      for (const retention of [
        { verifications: day, statistics: 100 * day },
        { verifications: 100 * day, statistics: day },
      ]) {
        await sweep(store, retention, NOW);
        assert.deepEqual([...(await readKeyNames(store, accountId)).keys()].sort(), kept.sort());
      }
    });

    test('the sweep takes what is past its time, and nothing else', async () => {
      const accountId = await account();
      const id = await person();
      await store.transact([addMember(accountId, id, 'viewer', NOW)]);
      const entry = { accountId, who: 'Pat', address: null, action: 'x', subject: '', detail: '' };
      const times = [...Array<number>(501).fill(NOW - 3 * 365 * 24 * HOUR), NOW];
      await store.transact(times.map((at) => auditStep({ ...entry, at })));
      await store.transact([auditPersonStep({ personId: id, address: null, action: 'y', at: NOW })]);
      await store.transact([
        mintOneTime('reset', id, NOW - 2 * HOUR).step,
        mintOneTime('reset', id, NOW).step,
      ]);
      await takeGuess(store, [ofPassword('swept')], NOW - 25 * HOUR);
      await sweep(store, { verifications: HOUR, statistics: HOUR }, NOW);
      assert.deepEqual((await readAuditLog(store, accountId)).entries.map(({ action }) => action).sort(), [
        'x',
        'y',
      ]);
      const sql = 'SELECT count(*) AS n FROM one_time WHERE person_id = $1';
      assert.equal((await query(store, sql, id))[0]?.n, 1);
      const [throttle] = await query(store, 'SELECT count(*) AS n FROM throttle WHERE forget_at <= $1', NOW);
      assert.equal(throttle?.n, 0);
    });
  });
}

describePortal('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-portal-'));
  const stores = [
    await openSqliteStore({ dataDir, exclusive: true, ...LAX }),
    await openSqliteStore({ dataDir, exclusive: false, ...LAX }),
  ] as const;
  return {
    stores,
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await rm(dataDir, { recursive: true });
    },
  };
});

describePortal('PostgreSQL', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const stores = [await openNode(url), await openNode(url)] as const;
  return {
    stores,
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await postgres.dispose();
    },
  };
});
