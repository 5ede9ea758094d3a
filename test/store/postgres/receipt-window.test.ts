/** How long a message is found by its receipt. The embedded store looks at whole days of UTC instead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lendDatabase } from '../../emptied-databases.ts';
import { DAY, FAILOVER, issueOne, openFor, receipt, SECOND, settlement } from '../contract/rig.ts';
import { storesOf } from './rig.ts';

test('a message is found until it is three days old, and then not any more', async (t) => {
  const { store } = await openFor(t, async (rules) => {
    const { url, giveBack } = await lendDatabase();
    return storesOf(rules, url, giveBack);
  });
  const createdAt = Date.now();
  const endedAt = createdAt + SECOND;
  for (const reference of ['in time', 'late']) {
    const sent = await issueOne(store, { createdAt });
    await store.settle(settlement(sent, FAILOVER, [{ reference, endedAt }]));
  }
  const found = async (reference: string, at: number) =>
    (await store.receive(receipt(at, { references: [reference] }))).kind;
  assert.equal(await found('in time', endedAt + 3 * DAY - 1), 'applied');
  assert.equal(await found('late', endedAt + 3 * DAY), 'early');
});
