import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { query, type Step } from '../../../../src/core/sql/records.ts';
import type { Store } from '../../../../src/store/port.ts';
import { LAX, type OpenedStore, type OpenStore, unique } from '../rig.ts';

const INSERT = 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3)';
const FIND = 'SELECT id, name, created_at FROM account WHERE name = $1';
const RENAME = 'UPDATE account SET name = $2 WHERE name = $1 RETURNING id';

export function describeRecords(open: OpenStore): void {
  suite('records', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const add = (name: string): Step => ({ sql: INSERT, args: [unique('acc'), name, 1_000] });

    test('steps are one transaction, and return their rows', async () => {
      const answer = await store.transact([add('One'), { sql: FIND, args: ['One'] }]);
      assert.ok(answer.done);
      assert.deepEqual(
        answer.rows[1]?.map(({ name, created_at }) => [name, created_at]),
        [['One', 1_000]],
      );
      assert.deepEqual(await query(store, FIND, 'Two'), []);
    });

    test('what only reads is announced, too, where that is asked for', async () => {
      const before = await store.keysRevision();
      const read: Step = { sql: FIND, args: ['Nobody'] };
      assert.deepEqual(await store.transact([read, read], true), { done: true, rows: [[], []] });
      assert.ok((await store.keysRevision()) > before);
    });

    test('a guard that finds nothing undoes what came before it', async () => {
      const answer = await store.transact([
        add('Undone'),
        { sql: RENAME, args: ['Nobody', 'Somebody'], guard: true },
        add('Never'),
      ]);
      assert.deepEqual(answer, { done: false, refusedBy: 1 });
      assert.deepEqual(await query(store, FIND, 'Undone'), []);
    });

    test('a guard refuses to take what belongs to another', async () => {
      await store.transact([add('Mine'), add('Theirs')]);
      const takes: Step = { sql: RENAME, args: ['Mine', 'Theirs'], guard: true };
      assert.deepEqual(await store.transact([takes]), { done: false, refusedBy: 0 });
      const answer = await store.transact([add('Undone'), takes, add('Never')]);
      assert.deepEqual(answer, { done: false, refusedBy: 1 });
      assert.deepEqual(await query(store, FIND, 'Undone'), []);
      const same: Step = { sql: RENAME, args: ['Mine', 'Mine'], guard: true };
      assert.equal((await store.transact([same])).done, true);
      const faulty: Step = { sql: INSERT, args: [unique('acc'), null, 1], guard: true };
      for (const steps of [[faulty], [faulty, add('Never')]]) await assert.rejects(store.transact(steps));
      const { guard: _, ...bare } = takes;
      await assert.rejects(store.transact([bare, add('Never')]));
    });

    test('a failure undoes its whole transaction, but not its neighbours', async () => {
      const id = unique('acc');
      const clash = (name: string): Step => ({ sql: INSERT, args: [id, name, 1] });
      const [failed, done] = await Promise.allSettled([
        store.transact([clash('First'), clash('Second')]),
        store.transact([add('Neighbour')]),
      ]);
      assert.equal(failed?.status, 'rejected');
      assert.equal(done?.status, 'fulfilled');
      assert.deepEqual(await query(store, FIND, 'First'), []);
      assert.equal((await query(store, FIND, 'Neighbour')).length, 1);
    });

    test('of many transactions at once, one passes the guard', async () => {
      await store.transact([add('Prize')]);
      const claims = Array.from({ length: 200 }, (_, i) =>
        store.transact([{ sql: RENAME, args: ['Prize', `Winner ${i}`], guard: true }, add(`Cup ${i}`)]),
      );
      const answers = await Promise.all(claims);
      assert.equal(answers.filter(({ done }) => done).length, 1);
      const cups = await query(store, "SELECT count(*) AS cups FROM account WHERE name LIKE 'Cup %'");
      assert.equal(cups[0]?.cups, 1);
    });

    test('an announcement raises the revision that every node checks', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('a store that one process has for itself');
      const before = await second.keysRevision();
      await store.transact([add('Told')], true);
      assert.notEqual(await second.keysRevision(), before);
    });
  });
}
