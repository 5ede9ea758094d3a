/** What the guard did, as it is written, read and swept. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAccountKeys } from '../../../../src/accounts/account-keys.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../src/core/accounts/api-key-format.ts';
import { OutcomeUnknown } from '../../../../src/core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../../src/core/seams/random.ts';
import { query } from '../../../../src/core/sql/records.ts';
import { START, Stage } from '../../../../src/guard/fixture.ts';
import { GuardRecord } from '../../../../src/guard/live/record.ts';
import type { GuardRefusal } from '../../../../src/guard/live/refusal.ts';
import { readEvidence, readGuard, readRefusals } from '../../../../src/portal/guard/reading.ts';
import { sweep } from '../../../../src/portal/sweep.ts';
import { DAY, HOUR, MINUTE, type OpenStore, openFor, SECOND } from '../rig.ts';

export function describeGuardRecord(open: OpenStore): void {
  suite('the record of the guard', () => {
    test('says whether a live key may bring codes, of which the guard knows less', async (t) => {
      const { store } = await openFor(t, open);
      const keys = createKeys(store);
      const brings = async (test: boolean, customCodes: boolean) => {
        const made = { ...mintKey(SYSTEM_RANDOM, test), name: 'key', test, createdAt: START, customCodes };
        const { accountId } = await keys.createKey(`shop ${test} ${customCodes}`, made, COMMAND_LINE);
        return (await readGuard(store, accountId, START)).brings;
      };
      assert.deepEqual(
        [await brings(false, true), await brings(true, true), await brings(false, false)],
        [true, false, false],
      );
    });

    test('a budget of a key is told to its account, also when a later key has its place', async (t) => {
      const { store } = await openFor(t, open);
      const made = { ...mintKey(SYSTEM_RANDOM, false), name: 'key', test: false, createdAt: START };
      const { accountId } = await createKeys(store).createKey('shop', made, COMMAND_LINE);
      const next = mintKey(SYSTEM_RANDOM, false);
      await createAccountKeys(store, 'owner').rotate(accountId, made.id, next, 0, COMMAND_LINE, START);
      await createKeys(store).createKey('other', { ...made, ...mintKey(SYSTEM_RANDOM, false) }, COMMAND_LINE);
      await query(store, 'DELETE FROM api_key WHERE id = $1', made.id);
      const record = new GuardRecord({
        ...{ clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM, records: store, priceOf: () => undefined },
        ...{ guard: new Stage().guard, now: () => START },
        metrics: { guardDecided: () => {}, guardSaved: () => {}, watchGuard: () => {} },
        log: () => {},
      });
      const today = { per: 'day', startsAt: START, endsAt: START + DAY, money: 1, messages: null } as const;
      record.budgetNearlyUsed({ kind: 'key', subject: made.id, ...today });
      record.budgetNearlyUsed({ kind: 'key', subject: next.id, ...today });
      record.budgetNearlyUsed({ kind: 'country', subject: 'DE', ...today });
      await record.write();
      assert.deepEqual(await query(store, 'SELECT place, account_id FROM guard_event ORDER BY place, id'), [
        { place: 'country per day', account_id: null },
        { place: 'key per day', account_id: accountId },
        { place: 'key per day', account_id: accountId },
      ]);
    });

    test('lines, counts, events and evidence are there, once, and go when their time is over', async (t) => {
      const { store } = await openFor(t, open);
      const stage = new Stage();
      const faults: unknown[] = [];
      let lost = false;
      const record = new GuardRecord({
        ...{ clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM },
        guard: stage.guard,
        now: () => stage.now,
        records: {
          random: store.random,
          keysRevision: () => store.keysRevision(),
          transact: async (steps, announce) => {
            const answer = await store.transact(steps, announce);
            // It was written, but nobody hears of it, and it is written again.
            if (lost) throw new OutcomeUnknown();
            return answer;
          },
        },
        priceOf: () => 20_000,
        metrics: { guardDecided: () => {}, guardSaved: () => {}, watchGuard: () => {} },
        log: (...told) => faults.push(told),
      });
      const refuse = (said: Partial<GuardRefusal> = {}) =>
        record.refused({
          ask: stage.ask('+212661234567'),
          ...{ channel: 'sms', route: { channel: 'sms', carriers: ['one'] } },
          ...{ rule: 'room:country', detail: '9 open', enforced: true, ...said },
        });
      refuse();
      refuse();
      refuse({ enforced: false });
      lost = true;
      await record.write();
      lost = false;
      await record.write();
      stage.wait(SECOND);
      refuse({ rule: 'bombing', detail: 'another account has an unconfirmed code at this number' });
      const today = { per: 'day', startsAt: START, endsAt: START + DAY, money: 1, messages: null } as const;
      record.budgetNearlyUsed({ kind: 'account', subject: 'acme', ...today });
      record.budgetNearlyUsed({ kind: 'installation', subject: '', ...today });
      await record.write();
      const read = (sql: string) => query(store, sql);
      assert.deepEqual(
        await read('SELECT rule, enforced, requests, saved FROM guard_day ORDER BY rule, enforced'),
        [
          { rule: 'bombing', enforced: 1, requests: 1, saved: 20_000 },
          { rule: 'room:country', enforced: 0, requests: 1, saved: 20_000 },
          { rule: 'room:country', enforced: 1, requests: 2, saved: 40_000 },
        ],
      );
      const lines = 'SELECT masked, place, saved, enforced FROM guard_refusal ORDER BY id DESC';
      const [newest, ...older] = await read(lines);
      assert.deepEqual(
        [newest, older.length],
        [{ masked: '+21266123••••', place: 'silent-number +21266123••••', saved: 20_000, enforced: 1 }, 3],
      );
      assert.deepEqual(await read('SELECT name, place, account_id FROM guard_event ORDER BY id'), [
        { name: 'budget.reached', place: 'account per day', account_id: 'acme' },
        { name: 'budget.reached', place: 'installation per day', account_id: null },
        { name: 'guard.acting', place: 'silent-number +21266123••••', account_id: 'acme' },
      ]);

      // Another node, or this one after a restart, does not tell it again.
      const other = new GuardRecord({
        ...{ clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM },
        ...{ guard: stage.guard, now: () => stage.now, records: store, priceOf: () => undefined },
        metrics: { guardDecided: () => {}, guardSaved: () => {}, watchGuard: () => {} },
        log: () => {},
      });
      other.refused({
        ask: stage.ask('+212661234567'),
        ...{ channel: 'sms', route: { channel: 'sms', carriers: ['one'] } },
        ...{ rule: 'bombing', detail: '', enforced: true },
      });
      stage.wait(2 * MINUTE);
      await other.write();
      assert.equal((await read(`SELECT 1 AS one FROM guard_event WHERE name = 'guard.acting'`)).length, 1);
      const [unpriced] = await read('SELECT saved FROM guard_refusal WHERE saved IS NULL');
      assert.deepEqual(unpriced, { saved: null });
      assert.equal((await read('SELECT minute FROM guard_evidence WHERE closed = 0')).length, 1);

      const now = stage.now;
      const view = await readGuard(store, 'acme', now);
      const country = { name: 'country MA', kind: 'country', where: 'MA' };
      assert.deepEqual(
        view.refused.map(({ place, rule, hour, day, enforced }) => [place.name, rule, hour, day, enforced]),
        [
          // Nobody learns whose codes a number did not confirm.
          ['silent-number +21266123••••', 'silent-number', 2, 2, true],
          ['country MA', 'room:country', 3, 3, true],
        ],
      );
      assert.deepEqual(
        [view.refused[1]?.place, view.refused[1]?.detail, view.more],
        [country, '9 open', false],
      );
      assert.doesNotMatch(JSON.stringify(view), /bombing|another account/);
      const day = new Date(START).toISOString();
      assert.deepEqual(view.days, [{ day, refused: 4, observed: 1, saved: 0.06 }]);
      assert.deepEqual(view.closed, []);
      assert.deepEqual(
        view.events.map(({ name, place, budget }) => [name, place?.kind, budget]),
        [
          ['guard.acting', 'silent-number', null],
          ['budget.reached', undefined, 'installation per day'],
          ['budget.reached', undefined, 'account per day'],
        ],
      );
      assert.deepEqual(
        (await readGuard(store, 'another', now)).events.map(({ budget }) => budget),
        ['installation per day'],
        'nothing of another account’s budgets',
      );
      const anybody = { from: undefined, to: undefined };
      const listed = await readRefusals(store, 'acme', anybody, {
        channel: 'sms',
        country: 'MA',
        key: 'web',
      });
      assert.deepEqual(
        [listed.refusals.length, listed.next, listed.refusals[4]?.number],
        [5, null, '+21266123••••'],
      );
      const before = listed.refusals[0]?.id ?? '';
      assert.equal((await readRefusals(store, 'acme', anybody, { before })).refusals.length, 4);
      assert.equal((await readRefusals(store, 'acme', anybody, { country: 'DE' })).refusals.length, 0);
      assert.equal((await readRefusals(store, 'acme', { from: now, to: now + 1 }, {})).refusals.length, 0);
      const [point] = await readEvidence(store, 'acme', 'country MA', now);
      assert.deepEqual([point?.at, point?.closed, point?.probes], [day, false, 0]);
      for (const found of [
        await readEvidence(store, 'another', 'country MA', now),
        (await readRefusals(store, 'another', anybody, {})).refusals,
        (await readGuard(store, 'another', now)).refused,
      ]) {
        assert.deepEqual(found, [], 'nothing of another account');
      }
      // Where it was refused, an account sees what closed, whoever's codes the evidence is of.
      await query(
        store,
        'UPDATE guard_evidence SET closed = 1, next_probe_at = 5, minute = $1 RETURNING 1 AS one',
        now,
      );
      const [closed] = (await readGuard(store, 'acme', now)).closed;
      assert.deepEqual([closed?.place, closed?.next_probe_at], [country, '1970-01-01T00:00:00.005Z']);
      assert.deepEqual((await readGuard(store, 'another', now)).closed, []);

      const kept = { verifications: 30 * DAY, statistics: 60 * DAY };
      const count = async () =>
        Promise.all(
          ['guard_evidence', 'guard_refusal', 'guard_event', 'guard_day'].map(
            async (table) => (await read(`SELECT * FROM ${table}`)).length,
          ),
        );
      assert.deepEqual(await count(), [1, 5, 3, 3]);
      await sweep(store, kept, stage.now + 7 * DAY);
      assert.deepEqual(await count(), [0, 5, 3, 3]);
      await sweep(store, kept, stage.now + 30 * DAY + HOUR);
      assert.deepEqual(await count(), [0, 0, 0, 3]);
      await sweep(store, kept, stage.now + 61 * DAY);
      assert.deepEqual(await count(), [0, 0, 0, 0]);
      assert.equal(faults.filter((line) => JSON.stringify(line).includes('cannot write')).length, 1);
    });
  });
}
