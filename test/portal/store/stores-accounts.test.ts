/** Guarantees of the portal's statements about accounts and members under races, on each store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditPersonStep, auditStep, readAuditLog } from '../../../src/accounts/audit.ts';
import {
  acceptInvitation,
  findInvitation,
  invite,
  withdrawInvitation,
} from '../../../src/accounts/invitations.ts';
import { readKeyNames } from '../../../src/accounts/key-names.ts';
import { membersOf, readInvitations } from '../../../src/accounts/lists/members.ts';
import { addMember, changeMember, findRole, type MemberChange } from '../../../src/accounts/members.ts';
import { addPerson, findPersonByEmail } from '../../../src/accounts/people.ts';
import { onBehalfOf, StandingLost } from '../../../src/accounts/standing.ts';
import { mintId } from '../../../src/accounts/token.ts';
import type { MemberRole } from '../../../src/core/accounts/role.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { query } from '../../../src/core/sql/records.ts';
import { NO_KEY } from '../../../src/core/verification/carrier-test.ts';
import { mintOneTime } from '../../../src/identity/sign-in/one-time.ts';
import { readSessions } from '../../../src/identity/sign-in/session.ts';
import { ofPassword, takeGuess } from '../../../src/identity/sign-in/throttle.ts';
import { sweep } from '../../../src/portal/sweep.ts';
import { HOUR, NOW, overEachStore } from './stores.ts';

overEachStore('accounts', (portal) => {
  test('if owners remove each other at once, one is left', async () => {
    const { account, either, person, store } = portal();
    for (let round = 0; round < 5; round++) {
      const accountId = await account();
      const owners = await Promise.all(Array.from({ length: 4 }, () => person()));
      await store.transact(owners.map((id) => addMember(accountId, id, 'owner', NOW)));
      const outcomes = await Promise.all(
        owners.flatMap((personId, i) =>
          owners.map((target, j) => {
            const member = {
              personId,
              name: 'Pat',
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
      const members = await membersOf(store, accountId, {}).read(undefined, 10);
      assert.equal(members.filter(({ role }) => role === 'owner').length, 1, String(outcomes));
      const { entries } = await readAuditLog(store, accountId);
      assert.equal(entries.length, outcomes.filter((outcome) => outcome === 'done').length);
    }
  });

  test('a role in one account is none in another', async () => {
    const { account, person, store } = portal();
    const [mine, theirs, personId] = [await account(), await account(), await person()];
    await store.transact([
      addMember(mine, personId, 'owner', NOW),
      addMember(theirs, personId, 'viewer', NOW),
    ]);
    const rename = { sql: 'UPDATE account SET name = name WHERE id = $1', args: [theirs] };
    const asOwner = onBehalfOf(store, { accountId: theirs, personId }, 'owner');
    await assert.rejects(asOwner.transact([rename]), StandingLost);
    assert.equal(
      (await onBehalfOf(store, { accountId: mine, personId }, 'owner').transact([rename])).done,
      true,
    );
  });

  test('who is a member already keeps the role, whatever invites or admits them again', async () => {
    const { account, person, store } = portal();
    const [accountId, personId] = [await account(), await person()];
    for (const role of ['viewer', 'owner'] as const)
      await store.transact([addMember(accountId, personId, role, NOW)]);
    const members = await membersOf(store, accountId, {}).read(undefined, 10);
    assert.deepEqual(
      members.map(({ role }) => role),
      ['viewer'],
    );
  });

  test('an invitation is accepted once, and not after it was withdrawn or replaced', async () => {
    const { account, either, person, store } = portal();
    const accountId = await account();
    const wanted = { accountId, email: 'guest@example.com', role: 'viewer' } as const;
    const by = { name: 'Pat', address: null };
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
        either(i).transact(
          acceptInvitation(store, second.token, open, { id, name: 'Pat', address: '::1' }, NOW),
        ),
      ),
    );
    assert.equal(accepted.filter(({ done }) => done).length, 1);
    const third = await invite(store, wanted, by, NOW);
    assert.ok(third.kind === 'invited');
    const owner = {
      ...by,
      personId: mintId('per', SYSTEM_RANDOM),
      accountId,
      role: 'owner',
      address: '::1',
      records: store,
    } as const;
    assert.equal(await withdrawInvitation(owner, third.id, NOW), true);
    assert.equal(await findInvitation(store, third.token, NOW), undefined);
  });

  test('a change of a role withdraws the invitations that would undo it, and no other', async () => {
    const { account, person, store } = portal();
    const [accountId, other] = [await account(), await account()];
    const email = `${mintId('x', SYSTEM_RANDOM)}@example.com`;
    const [personId, keeper] = [await person(email), await person()];
    const by = { name: 'Pat', address: null };
    const open = async (at: string, to: string, role: MemberRole, inviter?: string) => {
      const wanted = { accountId: at, email: to, role };
      const made = await invite(store, wanted, { ...by, ...(inviter && { personId: inviter }) }, NOW);
      assert.equal(made.kind, 'invited');
    };
    const left = async (at: string) =>
      (await readInvitations(store, at, {}, NOW)).map((each) => `${each.email} ${each.role}`);
    // For the person, as they are no member yet; and theirs, elsewhere, of others and of the command line.
    await open(accountId, email, 'developer');
    await store.transact([
      addMember(accountId, personId, 'owner', NOW),
      addMember(accountId, keeper, 'owner', NOW),
    ]);
    await open(accountId, 'a@example.com', 'owner', personId);
    await open(accountId, 'b@example.com', 'viewer', personId);
    await open(accountId, 'c@example.com', 'owner', keeper);
    await open(accountId, 'd@example.com', 'owner');
    await open(other, 'e@example.com', 'owner', personId);
    const change = (role: MemberRole | null) =>
      changeMember({ ...by, accountId, records: store }, personId, role, NOW);
    assert.equal(await change('owner'), 'unchanged');
    assert.equal((await left(accountId)).length, 5);
    assert.equal(await change('developer'), 'done');
    const rest = ['c@example.com owner', 'd@example.com owner'];
    assert.deepEqual(await left(accountId), [...rest, `${email} developer`].sort());
    assert.equal(await change('viewer'), 'done');
    assert.deepEqual(await left(accountId), rest);
    assert.equal(await change(null), 'done');
    assert.deepEqual([await left(accountId), await left(other)], [rest, ['e@example.com owner']]);
  });

  test('an invitation that a member accepts changes their role only from the one that was read', async () => {
    const { account, person, store } = portal();
    const accountId = await account();
    const email = `${mintId('x', SYSTEM_RANDOM)}@example.com`;
    const invited = await invite(
      store,
      { accountId, email, role: 'owner' },
      { name: 'Pat', address: null },
      NOW,
    );
    const token = invited.kind === 'invited' ? invited.token : '';
    const open = await findInvitation(store, token, NOW);
    const id = await person(email);
    await store.transact([addMember(accountId, id, 'viewer', NOW)]);
    const accept = (role?: MemberRole) => {
      assert.ok(open);
      const guest = { id, name: 'Pat', address: '::1', role };
      return store.transact(acceptInvitation(store, token, open, guest, NOW));
    };
    for (const role of [undefined, 'developer', 'owner'] as const) {
      assert.deepEqual(await accept(role), { done: false, refusedBy: 1 });
    }
    assert.equal(await findRole(store, accountId, id), 'viewer');
    assert.equal((await accept('viewer')).done, true);
    assert.equal(await findRole(store, accountId, id), 'owner');
  });

  test('one address is one person', async () => {
    const { either, store } = portal();
    const email = `${mintId('x', SYSTEM_RANDOM)}@example.com`;
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        either(i).transact([
          addPerson({ id: mintId('per', SYSTEM_RANDOM), email, name: 'Pat', password: null }, NOW),
        ]),
      ),
    );
    assert.equal(added.filter(({ done }) => done).length, 1);
    assert.equal((await findPersonByEmail(store, email))?.totp, false);
  });

  test('the audit log is in order of time, and within one millisecond in the order of the events', async () => {
    const { account, store } = portal();
    const accountId = await account();
    const entry = {
      accountId,
      by: { name: 'Pat', address: null },
      action: 'key.changed' as const,
      detail: '',
    };
    const done = Array.from({ length: 250 }, (_, i) => ({ at: NOW + Math.floor(i / 50), subject: `${i}` }));
    for (const { at, subject } of done.slice(200))
      await store.transact([auditStep(store, { ...entry, at, subject })]);
    await store.transact(done.slice(0, 200).map((each) => auditStep(store, { ...entry, ...each })));
    const read: string[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const page = await readAuditLog(store, accountId, next);
      read.push(...page.entries.map(({ subject }) => subject));
      next = page.next;
    }
    assert.deepEqual(read, done.map(({ subject }) => subject).reverse());
  });

  test('an expired key is deleted once nothing done with it is shown any more', async () => {
    const { account, store } = portal();
    const accountId = await account();
    const day = 24 * HOUR;
    const over = async (days: number, column: 'revoked_at' | 'expires_at') => {
      const id = mintId('key', SYSTEM_RANDOM);
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
      const shown = [...(await readKeyNames(store, accountId)).keys()].filter((id) => id !== NO_KEY);
      assert.deepEqual(shown.sort(), kept.sort());
    }
  });

  test('the sweep deletes what has expired, and nothing else', async () => {
    const { account, person, store } = portal();
    const accountId = await account();
    const id = await person();
    await store.transact([addMember(accountId, id, 'viewer', NOW)]);
    const entry = {
      accountId,
      by: { name: 'Pat', address: null },
      action: 'key.changed' as const,
      subject: '',
      detail: '',
    };
    const year = 365 * 24 * HOUR;
    const times = [...Array<number>(501).fill(NOW - 3 * year), NOW - 1.9 * year, NOW];
    await store.transact(times.map((at) => auditStep(store, { ...entry, at })));
    await store.transact([
      auditPersonStep(store, { personId: id, address: null, action: 'key.revoked', at: NOW }),
    ]);
    await store.transact([
      mintOneTime(store, 'reset', id, NOW - 2 * HOUR).step,
      mintOneTime(store, 'reset', id, NOW).step,
    ]);
    await takeGuess(store, [ofPassword('swept')], NOW - 25 * HOUR);
    const recent = ofPassword(id);
    for (let i = 0; i < 5; i++) await takeGuess(store, [recent], NOW);
    const by = { name: 'Pat', address: null };
    for (const [email, at] of [
      ['over@example.com', NOW - 73 * HOUR],
      ['open@example.com', NOW - 71 * HOUR],
    ] as const)
      await invite(store, { accountId, email, role: 'viewer' }, by, at);
    for (const [name, created, used] of [
      ['in use', 167, 11],
      ['idle', 13, 13],
      ['old', 169, 1],
    ] as const) {
      const sql = "INSERT INTO session VALUES ($1, $1, $2, 'password', '::1', '', $3, $4, $3)";
      await query(store, sql, `${id} ${name}`, id, NOW - created * HOUR, NOW - used * HOUR);
    }
    const shown = await readSessions(store, { personId: id, id: `${id} in use` }, NOW);
    assert.deepEqual(
      shown.map((session) => [session.id, session.current]),
      [[`${id} in use`, true]],
      'those that are over are not shown either',
    );
    await sweep(store, { verifications: HOUR, statistics: HOUR }, NOW);
    const kept = (await readAuditLog(store, accountId)).entries.map(({ action }) => action);
    assert.deepEqual(kept.filter((action) => !action.startsWith('member.')).sort(), [
      'key.changed',
      'key.changed',
      'key.revoked',
    ]);
    const invitations = 'SELECT email FROM invitation WHERE account_id = $1';
    assert.deepEqual(await query(store, invitations, accountId), [{ email: 'open@example.com' }]);
    const sessions = 'SELECT id FROM session WHERE person_id = $1 ORDER BY id';
    assert.deepEqual(await query(store, sessions, id), [{ id: `${id} in use` }]);
    const sql = 'SELECT count(*) AS n FROM one_time WHERE person_id = $1';
    assert.equal((await query(store, sql, id))[0]?.n, 1);
    const [throttle] = await query(store, 'SELECT count(*) AS n FROM throttle WHERE forget_at <= $1', NOW);
    assert.equal(throttle?.n, 0);
    assert.equal((await takeGuess(store, [recent], NOW)).ok, false, 'those of today count on');
  });

  test('the sweep forgets alerts, and what was told of them, after ninety days', async () => {
    const { account, store } = portal();
    const accountId = await account();
    const [old, young] = [NOW - 90 * 24 * HOUR, NOW - 90 * 24 * HOUR + 1];
    const alert = (name: string, overAt: number | null) => ({
      sql: `INSERT INTO alert (id, account_id, rule, subject, detail, place, bad_since, firing_since, over_at)
        VALUES ($1, $2, 'owner-new', '', '', '', 1, 1, CAST($3 AS BIGINT))`,
      args: [`${accountId} ${name}`, accountId, overAt],
    });
    const notice = (name: string, at: number) => ({
      sql: `INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts)
        VALUES ($1, '', $2, 'webhook', '', 'firing', CAST($3 AS BIGINT), '{}')`,
      args: [`${accountId} ${name}`, accountId, at],
    });
    await store.transact([
      ...[alert('old', old), alert('young', young), alert('standing', null)],
      ...[notice('old', old), notice('young', young)],
    ]);
    await sweep(store, { verifications: HOUR, statistics: HOUR }, NOW);
    const kept = async (table: string) =>
      (await query(store, `SELECT id FROM ${table} WHERE account_id = $1 ORDER BY id`, accountId)).map(
        ({ id }) => String(id).slice(accountId.length + 1),
      );
    assert.deepEqual(await kept('alert'), ['standing', 'young']);
    assert.deepEqual(await kept('alert_notice'), ['young']);
  });
});
