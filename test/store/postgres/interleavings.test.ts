/**
 * Two nodes in the tightest races. A third party holds the lock that both need until both wait for it: a node that read
 * before it locked would now act on outdated values.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { SCHEMA_LOCK } from '../../../src/store/postgres/schema/migrate.ts';
import { DAY, newVerification, tally, unique } from '../contract/rig.ts';
import { describeDeliveries } from './interleavings/deliveries.ts';
import { describeErasures } from './interleavings/erasures.ts';
import { describeLastOnes } from './interleavings/limits.ts';
import { createInterleaver } from './interleavings/rig.ts';
import { lookAt, openNode, openNodes } from './rig.ts';

suite('interleavings of nodes', () => {
  const rig = createInterleaver();
  const { heldUp, twoNodes, createDatabase, createEmptyDatabase } = rig;
  describeLastOnes(rig);
  describeDeliveries(rig);
  describeErasures(rig);

  test('nodes that all found an empty database make it once', async (t) => {
    const empty = await createEmptyDatabase();
    const nodes = await heldUp(
      `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
      () => [1, 2, 3].map(() => openNode(empty)),
      empty,
    );
    t.after(() => Promise.all(nodes.map((node) => node.close())));
    const outcomes = await Promise.all(nodes.map((node) => node.issue(newVerification())));
    assert.deepEqual(tally(outcomes), { issued: 3 });
  });

  test('a day without partitions gets them once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const createdAt = Date.now() + 60 * DAY;
    const outcomes = await heldUp(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`, () =>
      [a, b].map((node) => node.issue(newVerification({ createdAt }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 2 });
  });

  test('what a conflict between nodes has undone is done again, and not without end', async (t) => {
    const own = await createDatabase();
    const [node] = await openNodes(t, own, 1);
    assert.ok(node);
    // A sequence does not go back with the transaction that has asked it.
    await lookAt(
      own,
      `CREATE SEQUENCE conflicts;
       CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('conflicts') <= new.created_at THEN
           RAISE EXCEPTION 'conflict' USING ERRCODE = CASE new.name WHEN 'lock' THEN '40P01' ELSE '40001' END;
         END IF;
         RETURN new;
       END $$;
       CREATE TRIGGER conflict BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION conflict()`,
    );
    const add = (name: string, conflicts: number) => ({
      sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3)',
      args: [unique('acc'), name, conflicts],
    });
    assert.equal((await node.transact([add('lock', 3)])).done, true);
    assert.equal((await node.transact([add('row', 7)])).done, true);
    await assert.rejects(node.transact([add('row', 1_000)]), StoreUnavailable);
    assert.deepEqual(
      await lookAt(own, `SELECT name FROM account WHERE name IN ('lock', 'row') ORDER BY name`),
      [{ name: 'lock' }, { name: 'row' }],
    );
  });
});
