/**
 * The contract through a PgBouncer that gives a session to a transaction only: what locks and what lasts, and with
 * `COUNTERSIGN_TEST_POOLER=all` the whole of it, which takes a minute.
 */
import { after, test } from 'node:test';
import { startPostgres } from '../../postgres.ts';
import { describeReceipts } from '../contract/messages/receipts.ts';
import { describeRecords } from '../contract/records/records.ts';
import type { OpenStore } from '../contract/rig.ts';
import { describePurge } from '../contract/upkeep/purge.ts';
import { describeRaces } from '../contract/verifications/races.ts';
import { describeStore } from '../contract.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { openNode, storesOf } from './rig.ts';

const PARTS = [describeRaces, describeReceipts, describeRecords, describePurge];

const postgres = await startPostgres();
after(() => postgres.dispose());
// Fewer than a store has connections, so that these lead to other sessions all the time.
const pooler = await startPgBouncer(postgres.url, { mode: 'transaction', size: 4 });

if (pooler === undefined) {
  test('the contract behind a pooler of transactions', {
    skip: 'NOT TESTED: there is no pgbouncer on this machine',
  });
} else {
  after(() => pooler[Symbol.asyncDispose]());
  const original = await postgres.createDatabase();
  const store = await openNode(original);
  await store.close();
  const open: OpenStore = async (rules) =>
    storesOf(rules, pooler.through(await postgres.createDatabase(original)));
  if (process.env.COUNTERSIGN_TEST_POOLER === 'all') describeStore('PostgreSQL behind a pooler', open);
  else for (const describePart of PARTS) describePart(open);
}
