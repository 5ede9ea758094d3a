/** What the audit log, the guard, budgets, carriers and the queue say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditPersonStep } from '../../../../../src/accounts/audit.ts';
import { watchBudgets, watchGuard } from '../../../../../src/alerts/watch/guarded.ts';
import { watchOwners, watchSignIns } from '../../../../../src/alerts/watch/people.ts';
import { watchCarriers } from '../../../../../src/alerts/watch/service.ts';
import { LOOKED_UP } from '../../../../../src/core/lookups/facts.ts';
import { stateNameOf } from '../../../../../src/core/lookups/lookup-state.ts';
import { OPERATORS_FAULT } from '../../../../../src/core/sending/carrier.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { DAY, FAILOVER, guessAt, HOUR, issueOne, MINUTE, SECOND, settlement, unique } from '../../rig.ts';
import { type AlertRig, NOW } from './rig.ts';

export function describeWatched(rig: AlertRig): void {
  const { addMember, findings } = rig;

  test('refused sign-ins, new owners and removed factors are found in the audit log', async () => {
    const { store, acme } = rig;
    const [owner, developer] = [await addMember(acme, 'owner'), await addMember(acme, 'developer')];
    const entry = async (action: string, subject: string, detail = '', times = 1, at = NOW - MINUTE) => {
      await store.transact([
        {
          sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, times)
            VALUES ($1, $2, $3, 'Ada', NULL, $4, $5, $6, CAST($7 AS BIGINT))`,
          args: [acme, unique('aud'), at, action, subject, detail, times],
        },
      ]);
    };
    await entry('password.refused', `${owner}@example.com`, '', 15);
    assert.deepEqual(
      (await findings(watchSignIns)).map(({ level }) => level),
      ['near'],
    );
    await entry('second-factor.refused', `${owner}@example.com`, '', 5);
    await entry('password.refused', `${owner}@example.com`, '', 500, NOW - 2 * HOUR);
    await entry('password.refused', `${owner}@example.com`, '', 500, NOW + DAY);
    const [refused] = await findings(watchSignIns);
    assert.deepEqual([refused?.level, refused?.accountId], ['bad', acme]);
    assert.match(refused?.detail ?? '', /^20 passwords/);

    await entry('member.role-changed', 'new@example.com', 'viewer to owner');
    await entry('member.role-changed', 'less@example.com', 'owner to viewer');
    await entry('member.role-changed', 'raised@example.com', 'by invitation: viewer to owner');
    await entry('member.joined', 'joined@example.com', 'as owner');
    await entry('member.joined', 'view@example.com', 'as viewer');
    await entry('totp.removed', `${owner}@example.com`);
    await entry('person.proven', `${owner}@example.com`);
    await entry('totp.removed', `${developer}@example.com`);
    await entry('person.reset', `${owner}@example.com`, '', 1, NOW - 2 * DAY);
    const found = await findings(watchOwners);
    assert.deepEqual(found.map(({ rule }) => rule).sort(), [
      'factor-removed',
      'factor-removed',
      'owner-new',
      'owner-new',
      'owner-new',
    ]);
    assert.ok(
      found.some(({ detail }) => detail === 'raised@example.com accepted an invitation as an owner.'),
    );
  });

  test('a factor that a member removes concerns the accounts that they own', async () => {
    const { store, acme, other } = rig;
    const both = await addMember(acme, 'owner');
    await query(
      store,
      "INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, 'viewer', 0) RETURNING role",
      other,
      both,
    );
    const entry = { personId: both, address: null, action: 'passkey.removed' as const, at: NOW - MINUTE };
    await store.transact([auditPersonStep(store, entry)]);
    assert.deepEqual(
      (await findings(watchOwners)).map(({ rule, accountId }) => [rule, accountId]),
      [['factor-removed', acme]],
    );
  });

  test('places where the guard acts, and budgets of periods that go on, are found', async () => {
    const { store, acme } = rig;
    const event = async (
      id: string,
      at: number,
      name: string,
      place: string,
      account: string | null = null,
    ) => {
      await store.transact([
        {
          sql: `INSERT INTO guard_event (id, at, name, account_id, place, detail) VALUES ($1, $2, $3, $4, $5, 'words')`,
          args: [id, at, name, account, place],
        },
      ]);
    };
    await event('evt_1', NOW - HOUR, 'guard.acting', 'range4 +4474');
    await event('evt_2', NOW - HOUR, 'guard.acting', 'account', acme);
    await event('evt_3', NOW - MINUTE, 'guard.recovered', 'range4 +4474');
    await event('evt_0', NOW - 3 * DAY, 'guard.acting', 'range4 +4475');
    // What an account refuses by look-ups is its own decision, and no attack.
    for (const rule of LOOKED_UP)
      await event(`evt_${rule}`, NOW - HOUR, 'guard.acting', `${rule} ${acme}`, acme);
    assert.deepEqual(
      (await findings(watchGuard)).map(({ accountId, subject }) => [accountId, subject]),
      [[acme, 'account']],
    );
    const today = NOW - (NOW % DAY);
    await event(
      `bud_account_${acme}_50_day_${today}_0.8`,
      NOW - HOUR,
      'budget.reached',
      'account per day',
      acme,
    );
    await event(
      `bud_installation__10 messages_hour_${today}_1`,
      today + HOUR / 2,
      'budget.reached',
      'installation per hour',
    );
    await event(
      `bud_installation__month_${Date.UTC(2026, 10)}_1`,
      NOW - DAY,
      'budget.reached',
      'installation per month',
    );
    assert.deepEqual(
      (await findings(watchBudgets)).map(({ accountId, detail }) => [accountId, detail]),
      [
        [acme, 'Of the budget "account per day", words.'],
        [null, 'Of the budget "installation per month", words.'],
      ],
    );
  });

  test('a carrier that no message passes is found, whichever node sees it', async () => {
    const { store } = rig;
    const seen = { node: 'a', lastError: null, at: NOW - SECOND } as const;
    await store.noteCarrierStates([
      { ...seen, carrier: 'good', breaker: 'closed' },
      { ...seen, carrier: 'open', breaker: 'open', lastError: { reason: 'HTTP 503', at: NOW - MINUTE } },
      { ...seen, node: 'b', carrier: 'open', breaker: 'closed' },
      { ...seen, carrier: 'open-there', breaker: 'closed' },
      { ...seen, node: 'b', carrier: 'open-there', breaker: 'open' },
      {
        ...seen,
        carrier: 'refused',
        breaker: 'closed',
        lastError: { reason: `${OPERATORS_FAULT}HTTP 401`, at: NOW - 9 * MINUTE },
      },
      { ...seen, carrier: 'tried', breaker: 'half-open' },
      {
        ...seen,
        carrier: 'cut',
        breaker: 'closed',
        lastError: { reason: 'no link: ECONNREFUSED', at: NOW - MINUTE },
      },
      {
        ...seen,
        carrier: 'was-cut',
        breaker: 'closed',
        lastError: { reason: 'no link: ECONNREFUSED', at: NOW - 9 * MINUTE },
      },
      // A look-up takes no messages.
      {
        ...{ ...seen, carrier: stateNameOf('swapped'), breaker: 'closed' },
        lastError: { reason: `${OPERATORS_FAULT}HTTP 403`, at: NOW - MINUTE },
      },
      { ...seen, carrier: 'silent', breaker: 'open', at: NOW - HOUR },
    ]);
    assert.deepEqual(
      (await findings(watchCarriers)).map(({ subject, level, detail, place }) => [
        subject,
        level,
        detail,
        place,
      ]),
      [
        ['carrier cut', 'bad', 'cut takes no messages: no link: ECONNREFUSED.', 'carriers'],
        ['carrier open', 'bad', 'open takes no messages: HTTP 503.', 'carriers'],
        ['carrier open-there', 'bad', 'open-there takes no messages: its tries fail.', 'carriers'],
        ['carrier refused', 'bad', 'refused takes no messages: account or settings: HTTP 401.', 'carriers'],
        ['carrier tried', 'near', 'tried takes no messages.', 'carriers'],
      ],
    );
  });

  test('the oldest message that waits is known by its time, and none of those that were sent', async () => {
    const { store } = rig;
    assert.equal(await store.oldestWaiting(), undefined);
    const [first, second] = [NOW - 3 * MINUTE, NOW - MINUTE];
    const old = await issueOne(store, { createdAt: first });
    const taken = await issueOne(store, { createdAt: second });
    assert.equal(await store.oldestWaiting(), first);
    assert.equal((await store.confirm(guessAt(old, 'right'))).kind, 'confirmed');
    assert.equal(await store.oldestWaiting(), second);
    await store.settle(settlement(taken, FAILOVER, [{}]));
    assert.equal(await store.oldestWaiting(), undefined, 'nor of those whose receipt is waited for');
  });
}
