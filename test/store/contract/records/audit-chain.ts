import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { auditPersonStep } from '../../../../src/accounts/audit.ts';
import { readHead } from '../../../../src/accounts/audit-log/chain.ts';
import { addMember } from '../../../../src/accounts/members.ts';
import { addPerson } from '../../../../src/accounts/people.ts';
import { mintId } from '../../../../src/accounts/token.ts';
import type { NotedLink } from '../../../../src/core/accounts/audit-chain.ts';
import { SYSTEM_RANDOM } from '../../../../src/core/seams/random.ts';
import { query, type Records } from '../../../../src/core/sql/records.ts';
import { anyText } from '../../../../src/core/text/any-text-fixture.ts';
import type { Store } from '../../../../src/store/port.ts';
import { LAX, type OpenedStore, type OpenStore } from '../rig.ts';
import {
  AT,
  addAccount,
  assertBroken,
  assertIntact,
  entriesOf,
  entryOfAny,
  entryStep,
  fill,
  linkOf,
  rechain,
} from './audit-rig.ts';

/** All tests share a store: each has accounts of its own. */
export function describeAuditChain(open: OpenStore): void {
  suite('the chain of an audit log', () => {
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
    const broken = (accountId: string, noted?: NotedLink) => assertBroken(store, accountId, noted);

    test('an account without entries is intact', async () => {
      const accountId = await addAccount(store);
      const { facts } = await intact(accountId);
      assert.deepEqual([facts.entries, facts.from, facts.last.seq], [0, null, 0]);
      assert.equal(await readHead(store, accountId), undefined);
    });

    test('whatever an entry says, the store makes the hash that the program makes', async () => {
      const accountId = await addAccount(store);
      // PostgreSQL has no NUL, and both have only whole characters.
      const text = fc
        .oneof(anyText(), fc.constantFrom('', '"', '\\', '\u007f', '\u2028', '🙂', '\b\f\v'))
        .map((value) => value.replaceAll('\0', '').toWellFormed());
      const entry = fc.record({
        ...{ who: text, action: text, subject: text, detail: text, address: fc.option(text) },
        at: fc.integer({ min: 0, max: 2 ** 45 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 20 }), async (entries) => {
          const steps = entries.map(({ who, address, ...each }) =>
            entryOfAny(store, { accountId, by: { name: who, address }, ...each }),
          );
          await store.transact(steps);
          await intact(accountId);
        }),
        { numRuns: 8 },
      );
    });

    test('hundreds of writers at once leave one chain in each account, and wait for no one for ever', async () => {
      const accounts = [await addAccount(store), await addAccount(store), await addAccount(store)];
      const people = await Promise.all(
        [0, 1].map(async (i) => {
          const id = mintId('per', SYSTEM_RANDOM);
          await store.transact([
            addPerson({ id, email: `${id}@example.com`, name: 'Pat', password: null }, AT),
            // In another order for each, so that their entries begin with another account.
            ...(i === 0 ? accounts : accounts.toReversed()).map((each) => addMember(each, id, 'viewer', AT)),
          ]);
          return id;
        }),
      );
      const [one = '', two = '', three = ''] = accounts;
      await Promise.all(
        Array.from({ length: 300 }, (_, i) => {
          const orders = [
            [entryStep(one, `${i}`)],
            [entryStep(one, `${i}`), entryStep(two, `${i}`), entryStep(three, `${i}`)],
            [entryStep(three, `${i}`), entryStep(two, `${i}`), entryStep(one, `${i}`)],
            [
              auditPersonStep(store, {
                personId: people[i % 2] ?? '',
                address: null,
                action: 'key.changed',
                at: AT,
              }),
            ],
          ];
          return either(i).transact(orders[i % 4] ?? []);
        }),
      );
      assert.equal((await intact(one)).facts.entries, 300);
      assert.equal((await intact(two)).facts.entries, 225);
      const { last } = (await intact(three)).facts;
      assert.deepEqual(await readHead(second, three), { ...last, at: AT });
    });

    test('a change that is refused leaves no entry and no gap', async () => {
      const accountId = await addAccount(store);
      await fill(store, accountId, 2);
      const refused = { sql: 'SELECT 1 FROM account WHERE id = $1', args: ['nobody'], guard: true } as const;
      assert.equal((await store.transact([entryStep(accountId, 'no'), refused])).done, false);
      await fill(store, accountId, 1);
      assert.deepEqual(
        (await entriesOf(store, accountId)).map(({ seq }) => seq),
        [1, 2, 3],
      );
      await intact(accountId);
    });

    test('counting repetitions leaves the chain whole', async () => {
      const accountId = await addAccount(store);
      const [first] = await fill(store, accountId, 2);
      const sql = 'UPDATE audit_entry SET times = times + 1 WHERE account_id = $1 AND id = $2';
      await query(store, sql, accountId, first?.id ?? '');
      await intact(accountId);
      assert.equal((await entriesOf(store, accountId))[0]?.times, 2);
    });

    const at = 'account_id = $1 AND seq = CAST($2 AS BIGINT)';
    for (const [field, value] of [
      ['at', 'at + 1'],
      ['who', "'Eve'"],
      ['address', 'NULL'],
      ['action', "'key.created'"],
      ['subject', "subject || ' '"],
      ['detail', "''"],
      ['id', "id || '0'"],
      ['hash', "replace(hash, substr(hash, 1, 1), 'g')"],
    ]) {
      test(`a changed ${field} shows at its entry`, async () => {
        const accountId = await addAccount(store);
        await fill(store, accountId, 5);
        await query(store, `UPDATE audit_entry SET ${field} = ${value} WHERE ${at}`, accountId, 3);
        const { entry, detail } = await broken(accountId);
        assert.equal(entry?.seq, 3);
        assert.match(detail, /changed/);
      });
    }

    test('a removed entry shows at the next, and the newest at the end', async () => {
      const accountId = await addAccount(store);
      await fill(store, accountId, 5);
      await query(store, `DELETE FROM audit_entry WHERE ${at}`, accountId, 5);
      assert.match((await broken(accountId)).detail, /entry 5 is missing/);
      await query(store, `DELETE FROM audit_entry WHERE ${at}`, accountId, 2);
      const { entry, detail } = await broken(accountId);
      assert.deepEqual([entry?.seq, detail], [3, 'entry 2 is missing before it']);
      await query(store, `DELETE FROM audit_entry WHERE ${at}`, accountId, 1);
      assert.equal((await broken(accountId)).detail, 'entries 1 to 2 are missing before it');
    });

    test('an entry that was put in shows, with or without a number', async () => {
      const accountId = await addAccount(store);
      const other = await addAccount(store);
      await fill(store, accountId, 3);
      const copy = (id: string, seq: string) =>
        query(
          store,
          `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, seq, hash)
            SELECT account_id, $3, at, who, address, action, subject, detail, ${seq}, hash
            FROM audit_entry WHERE ${at}`,
          ...[accountId, 2, id],
        );
      await copy('aud_zz', 'seq');
      assert.match((await broken(accountId)).detail, /another entry with its number/);
      await query(store, 'DELETE FROM audit_entry WHERE id = $1', 'aud_zz');
      await intact(accountId);

      await copy('aud_zz', 'seq + 2');
      assert.equal((await broken(accountId)).entry?.seq, 4);
      await query(store, 'DELETE FROM audit_entry WHERE id = $1', 'aud_zz');

      await fill(store, other, 2);
      const loose = 'UPDATE audit_entry SET seq = NULL, hash = NULL WHERE account_id = $1 AND subject = $2';
      await query(store, loose, other, 'subject 1');
      await query(
        store,
        `UPDATE audit_head SET seq = 1, hash = (SELECT hash FROM audit_entry WHERE account_id = $1 AND seq = 1)
        WHERE account_id = $1`,
        other,
      );
      const fault = await broken(other);
      assert.equal(fault.entry?.seq, null);
      assert.match(fault.detail, /not in the chain/);
    });

    test('entries in another order, or of another account, show', async () => {
      const [mine, theirs] = [await addAccount(store), await addAccount(store)];
      await fill(store, mine, 4);
      const swap = 'UPDATE audit_entry SET seq = 5 - seq WHERE account_id = $1 AND seq IN (2, 3)';
      await query(store, swap, mine);
      assert.equal((await broken(mine)).entry?.seq, 2);
      await query(store, swap, mine);
      await intact(mine);
      await query(store, 'UPDATE audit_entry SET account_id = $1 WHERE account_id = $2', theirs, mine);
      await query(store, 'UPDATE audit_head SET account_id = $1 WHERE account_id = $2', ...[theirs, mine]);
      assert.equal((await broken(theirs)).entry?.seq, 1);
    });

    test('a chain that was made again shows against a noted hash, and so does one cut off', async () => {
      const accountId = await addAccount(store);
      const entries = await fill(store, accountId, 6);
      const [first, , , fourth, , last] = entries;
      assert.ok(first !== undefined && fourth !== undefined && last !== undefined);
      assert.equal((await intact(accountId, linkOf(fourth))).isOlder, false);
      await query(store, `UPDATE audit_entry SET who = 'Eve' WHERE ${at}`, accountId, 3);
      await rechain(store, accountId);
      await intact(accountId);
      await intact(accountId, linkOf(first));
      const { entry, detail } = await broken(accountId, linkOf(fourth));
      assert.equal(entry?.seq, 4);
      assert.match(detail, /not the one that was noted/);

      const cut = await addAccount(store);
      const [, , third, , fifth] = await fill(store, cut, 5);
      assert.ok(third !== undefined && fifth !== undefined);
      await query(store, `DELETE FROM audit_entry WHERE account_id = $1 AND seq > 3`, cut);
      await query(store, 'UPDATE audit_head SET seq = 3, hash = $2 WHERE account_id = $1', cut, third.hash);
      await intact(cut, linkOf(third));
      assert.match((await broken(cut, linkOf(fifth))).detail, /before the noted entry 5/);
      await query(store, "UPDATE audit_head SET hash = '' WHERE account_id = $1", cut);
      assert.match((await broken(cut)).detail, /another end/);
    });

    test('tampering never stops a change', async () => {
      const accountId = await addAccount(store);
      await fill(store, accountId, 3);
      await query(store, 'DELETE FROM audit_head WHERE account_id = $1', accountId);
      assert.match((await broken(accountId)).detail, /another end/);
      await fill(store, accountId, 1);
      assert.match((await broken(accountId)).detail, /another entry with its number/);
    });
  });
}
