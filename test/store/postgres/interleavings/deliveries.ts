/** Claims, receipts and confirmations that come while a message is settled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { FAILOVER, guessAt, issueOne, receipt, SECOND, settlement } from '../../contract/rig.ts';
import type { Interleaver } from './rig.ts';

export function describeDeliveries(rig: Interleaver): void {
  const { heldUp, waiting, twoNodes } = rig;

  test('a claim passes by what another node is just settling', async (t) => {
    const [node] = await twoNodes(t, {});
    const now = Date.now();
    const issue = (minutes: number) => issueOne(node, { createdAt: now - minutes * 60 * SECOND });
    const [expired, settling, free] = [await issue(11), await issue(1), await issue(1)];
    const holder = new pg.Client({ connectionString: rig.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      const held = [expired, settling].map(({ id }) => id.slice('ver_'.length));
      await holder.query('SELECT FROM delivery WHERE verification_id = ANY ($1) FOR UPDATE', [held]);
      const claimed = await node.claim(now, now + SECOND, 100);
      // On a busy machine there are others by now whose leases have ended.
      const ours = [expired, settling, free].map(({ id }) => id);
      assert.deepEqual(
        claimed.map(({ id }) => id).filter((id) => ours.includes(id)),
        [free.id],
      );
    } finally {
      await holder.end();
    }
  });

  test('a receipt that found no attempt is seen by a settlement that begins before it is kept', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a);
    const [settled, received] = await heldUp('LOCK TABLE early_receipt IN SHARE MODE', () => {
      const received = b.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] }));
      const settled = waiting(1).then(() => a.settle(settlement(v, FAILOVER, [{ reference: v.id }])));
      return [settled, received.then((outcome) => [outcome])];
    });
    assert.deepEqual(received, [{ kind: 'early' }]);
    assert.deepEqual(
      settled?.map(({ kind }) => kind),
      ['applied'],
    );
  });

  test('a receipt that comes while its settlement is under way waits for it', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a);
    const [early, received] = await heldUp(
      `SELECT FROM delivery WHERE verification_id = '${v.id.slice(4)}' FOR UPDATE`,
      () => {
        const settled = a.settle(settlement(v, FAILOVER, [{ reference: v.id }]));
        const received = waiting(1).then(() =>
          b.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] })),
        );
        return [settled, received.then((outcome) => [outcome])];
      },
    );
    assert.deepEqual(early, []);
    assert.deepEqual(
      received?.map(({ kind }) => kind),
      ['applied'],
    );
  });

  test('a confirmation that comes while its message is settled belongs to the carrier that took it', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a, { test: true });
    const carriers: (string | null)[] = [];
    // The settlement has written its attempt, and waits to count it.
    await heldUp<unknown>('LOCK TABLE tally_event IN SHARE MODE', () => {
      const settled = a.settle(settlement(v, FAILOVER, [{ reference: v.id }]));
      const confirmed = waiting(1).then(() => b.confirm(guessAt(v, 'right')));
      return [
        settled,
        confirmed.then((outcome) => carriers.push(outcome.kind === 'confirmed' ? outcome.carrier : null)),
      ];
    });
    assert.deepEqual(carriers, ['smsc']);
  });
}
