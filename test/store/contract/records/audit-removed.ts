/** What is no longer in an audit log: age deletes its oldest entries, and the chain shows that nobody else did. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { AUDIT_MS } from '../../../../src/accounts/audit.ts';
import { sweepAuditLogs } from '../../../../src/accounts/audit-log/sweep.ts';
import { type NotedLink, textOfEntry } from '../../../../src/core/accounts/audit-chain.ts';
import { query, type Records } from '../../../../src/core/sql/records.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, LAX, type OpenedStore, type OpenStore, transactInParts } from '../rig.ts';
import {
  AGED,
  AT,
  addAccount,
  assertBroken,
  assertIntact,
  entriesOf,
  entryStep,
  fill,
  linkOf,
} from './audit-rig.ts';

/** All tests share a store: each has accounts of its own. */
export function describeAuditRemoved(open: OpenStore): void {
  suite('what is gone from an audit log', () => {
    let opened: OpenedStore;
    let store: Store;
    let second: Store;
    before(async () => {
      opened = await open(LAX);
      store = opened.store;
      second = (await opened.second?.()) ?? store;
    });
    after(() => opened.dispose());

    const either = (i: number): Records => (i % 2 === 0 ? store : second);
    const intact = (accountId: string, noted?: NotedLink) => assertIntact(store, accountId, noted);
    const broken = (accountId: string, noted?: NotedLink, now?: number) =>
      assertBroken(store, accountId, noted, now);

    test('what is deleted with age leaves a whole chain, also if two delete at once', async () => {
      const accountId = await addAccount(store);
      await transactInParts(
        store,
        Array.from({ length: 1_203 }, (_, i) => entryStep(accountId, `${i}`, 1_000 + i)),
      );
      const entries = await entriesOf(store, accountId);
      const [noted, kept] = [entries[700], entries[1_150]];
      assert.ok(noted !== undefined && kept !== undefined);
      await Promise.all([0, 1, 2, 3].map((i) => sweepAuditLogs(either(i), 2_099)));
      const { facts } = await intact(accountId, linkOf(kept));
      assert.deepEqual([facts.entries, facts.from, facts.removed.seq], [103, 2_100, 1_100]);
      assert.equal((await intact(accountId, linkOf(noted))).isOlder, true);
      const last = entries[1_099];
      assert.ok(last !== undefined);
      assert.equal((await intact(accountId, linkOf(last))).isOlder, false);
      assert.match((await broken(accountId, { ...linkOf(last), hash: noted.hash })).detail, /noted/);
      await fill(store, accountId, 1);
      await intact(accountId);
      await sweepAuditLogs(store, AT);
      const swept = await intact(accountId);
      assert.deepEqual([swept.facts.entries, swept.facts.last.seq], [0, 1_204]);
    });

    test('what somebody deleted is not taken for what age did, also if its end is noted as deleted', async () => {
      const accountId = await addAccount(store);
      const entries = await fill(store, accountId, 6);
      const [newest, before] = [entries[5], entries[4]];
      assert.ok(newest !== undefined && before !== undefined);
      await query(store, `DELETE FROM audit_entry WHERE account_id = $1 AND seq < 6`, accountId);
      const note = (text: string | null) =>
        query(
          store,
          'UPDATE audit_head SET removed_seq = 5, removed_hash = $2, removed_entry = $3 WHERE account_id = $1',
          ...[accountId, before.hash, text],
        );
      await note(null);
      assert.match((await broken(accountId)).detail, /entries 1 to 5 are gone, and nothing shows that age/);
      assert.match((await broken(accountId, linkOf(newest))).detail, /nothing shows/);
      const fields = textOfEntry(entries[3]?.hash ?? '', before);
      await note(fields);
      const young = AT + AUDIT_MS - 2 * DAY;
      assert.match((await broken(accountId, linkOf(newest), young)).detail, /younger than/);
      for (const forged of [
        fields.replace(String(before.at), '1000'),
        textOfEntry('', { ...before, seq: 4 }),
        'null',
        '{',
      ]) {
        await note(forged);
        assert.match((await broken(accountId, linkOf(newest))).detail, /gone/, forged);
      }
      await note(fields);
      await intact(accountId, linkOf(newest));
    });

    test('a noted entry that is gone is missed, unless age explains it', async () => {
      const accountId = await addAccount(store);
      const entries = await fill(store, accountId, 6);
      const noted = entries[1];
      assert.ok(noted !== undefined);
      await sweepAuditLogs(store, AT + 3);
      const aged = { ...linkOf(noted), at: noted.at };
      assert.equal((await intact(accountId, aged)).isOlder, true);
      const early = AT + AUDIT_MS - 2 * DAY;
      assert.match((await broken(accountId, aged, early)).detail, /younger than/);

      // Somebody who writes all hashes again can say anything of what is gone, but not change a note.
      const young = { ...linkOf(noted), at: AGED - DAY };
      assert.match((await broken(accountId, young)).detail, /the noted entry 2 is gone/);
      assert.equal((await intact(accountId, linkOf(noted))).isOlder, true);
    });

    test('the last of what age deleted is kept, one at a time as well as many', async () => {
      const accountId = await addAccount(store);
      const entries = await fill(store, accountId, 5);
      for (const [i, { at: time }] of entries.entries()) {
        await sweepAuditLogs(store, time);
        const { facts } = await intact(accountId);
        assert.deepEqual([facts.removed.seq, facts.entries], [i + 1, 4 - i]);
      }
    });

    test('a node of the version before deletes without what shows it, and the log says so until more is deleted', async () => {
      const accountId = await addAccount(store);
      const entries = await fill(store, accountId, 5);
      await sweepAuditLogs(store, AT);
      const second = entries[1];
      assert.ok(second !== undefined);
      const sql = 'UPDATE audit_head SET removed_seq = 2, removed_hash = $2 WHERE account_id = $1';
      await query(store, sql, accountId, second.hash);
      await query(store, 'DELETE FROM audit_entry WHERE account_id = $1 AND seq = 2', accountId);
      assert.match((await broken(accountId)).detail, /nothing shows that age.*the version before/s);
      await sweepAuditLogs(store, AT + 2);
      assert.equal((await intact(accountId)).facts.removed.seq, 3);
    });

    test('a node that was overtaken while it deleted takes nothing back', async () => {
      const accountId = await addAccount(store);
      await transactInParts(
        store,
        Array.from({ length: 603 }, (_, i) => entryStep(accountId, `${i}`, 1_000 + i)),
      );
      let isOvertaken = false;
      // Between the look at the oldest entries and their end.
      const late: Records = {
        async transact(steps, announce) {
          const [step] = steps;
          if (!isOvertaken && step !== undefined && 'sql' in step && step.sql.includes('UPDATE audit_head')) {
            isOvertaken = true;
            await sweepAuditLogs(second, 1_599);
          }
          return store.transact(steps, announce);
        },
        random: store.random,
        keysRevision: () => store.keysRevision(),
      };
      await sweepAuditLogs(late, 1_599);
      assert.ok(isOvertaken);
      const { facts } = await intact(accountId);
      assert.deepEqual([facts.entries, facts.removed.seq], [3, 600]);
    });

    test('an old entry that follows one which stays is not deleted', async () => {
      const accountId = await addAccount(store);
      for (const time of [500, 900, 400]) await store.transact([entryStep(accountId, `${time}`, time)]);
      await sweepAuditLogs(store, 600);
      const { facts } = await intact(accountId);
      assert.deepEqual([facts.entries, facts.removed.seq], [2, 1]);
    });
  });
}
