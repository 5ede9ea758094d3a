/** Erasures, and what comes to the same verification at the same time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { guessAt, issueOne, settlement, unique } from '../../contract/rig.ts';
import { lookAt } from '../rig.ts';
import type { Interleaver } from './rig.ts';

const INBOX = { kind: 'delivered', inbox: true } as const;

export function describeErasures(rig: Interleaver): void {
  const { heldUp, waiting, twoNodes } = rig;

  const erase = (node: Store, { id, destinationHash }: NewVerification) =>
    node.transact([
      { erase: { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() } },
    ]);

  /** The tables that still name a verification. */
  async function traces({ id, destinationSealed, codeSealed }: NewVerification): Promise<string[]> {
    const tables = await lookAt<{ name: string }>(
      rig.url,
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
    );
    const uuid = id.replace(/^ver_(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const texts = [uuid, id, destinationSealed, codeSealed].map(
      (text) => `strpos(whole::text, '${text}') > 0`,
    );
    const found = await Promise.all(
      tables.map(({ name }) =>
        lookAt(rig.url, `SELECT FROM ${name} AS whole WHERE ${texts.join(' OR ')} LIMIT 1`),
      ),
    );
    return tables.filter((_, i) => found[i]?.length === 1).map(({ name }) => name.replace(/_\d+$/, ''));
  }

  const keyed = (v: NewVerification) => ({
    ...guessAt(v, 'wrong'),
    idempotency: { keyHash: unique('idem'), bodyHash: 'guess' },
  });

  // Each waits, with all its locks, for what another party holds; the erasure comes after it, or before it.
  const acts: readonly (readonly [string, (node: Store, v: NewVerification) => Promise<unknown>, unknown])[] =
    [
      ['a settlement', (node, v) => node.settle(settlement(v, INBOX, [{ reference: v.id }])), []],
      ['a guess under an Idempotency-Key', (node, v) => node.confirm(keyed(v)), { kind: 'unknown' }],
    ];
  for (const [what, act, answer] of acts) {
    test(`${what} under way is waited for, and erased with the rest`, async (t) => {
      const [a, b] = await twoNodes(t, {});
      const v = await issueOne(a, { idempotency: { keyHash: unique('idem'), bodyHash: 'sms x' } });
      assert.deepEqual(await traces(v), ['delivery', 'idempotency', 'verification']);
      const [, erased] = await heldUp<unknown>('LOCK TABLE tally_event IN SHARE MODE', () => [
        act(a, v),
        waiting(1).then(() => erase(b, v)),
      ]);
      assert.deepEqual(erased, { done: true, rows: [[{ erased: 1 }]] });
      assert.deepEqual(await traces(v), []);
    });

    test(`${what} that comes during an erasure finds nothing, and leaves nothing`, async (t) => {
      const [a, b] = await twoNodes(t, {});
      const v = await issueOne(a);
      const [, acted] = await heldUp<unknown>('LOCK TABLE early_receipt IN SHARE MODE', () => [
        erase(b, v),
        waiting(1).then(() => act(a, v)),
      ]);
      assert.deepEqual(acted, answer);
      assert.deepEqual(await traces(v), []);
    });
  }
}
