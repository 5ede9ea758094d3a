/** Which span a message belongs to, kept for other nodes and for later. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { sweepAccounts } from '../../../../src/accounts/sweep.ts';
import { SYSTEM_CLOCK } from '../../../../src/core/seams/clock.ts';
import type { Store } from '../../../../src/store/port.ts';
import type { SpanContext } from '../../../../src/tracing/context.ts';
import { createLinks, nameOfReference } from '../../../../src/tracing/links.ts';
import { DAY, LAX, type OpenedStore, type OpenStore, unique } from '../rig.ts';

export function describeTraceLinks(open: OpenStore): void {
  suite('links of traces', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const spanOf = (index: number): SpanContext => ({
      traceId: 'a'.repeat(32),
      spanId: index.toString(16).padStart(16, '0'),
      sampled: true,
      state: undefined,
    });

    test('many at once are found again, by whoever asks, until receipts no longer come', async () => {
      const names = Array.from({ length: 120 }, () => unique('ver_'));
      const links = createLinks(SYSTEM_CLOCK, store);
      for (const [index, name] of names.entries()) links.keep(name, spanOf(index + 1));
      await links.settled();
      const another = createLinks(SYSTEM_CLOCK, store);
      const found = await another.find(['nobody', ...names]);
      assert.deepEqual(
        names.map((name) => found.get(name)),
        names.map((_, index) => spanOf(index + 1)),
      );
      assert.equal(found.size, names.length);

      await sweepAccounts(store, LAX.retention, Date.now() + 3 * DAY - 60_000);
      assert.equal((await another.find(names)).size, names.length);
      await sweepAccounts(store, LAX.retention, Date.now() + 3 * DAY);
      assert.equal((await another.find(names)).size, 0);
    });

    test('of two under one name, the later is kept; any reference makes a name', async () => {
      const links = createLinks(SYSTEM_CLOCK, store);
      const names = ['r1', '\0\ud800', 'x'.repeat(10_000)].map((reference) =>
        nameOfReference(unique('carrier'), reference),
      );
      for (const span of [1, 2, 3]) {
        for (const name of names) links.keep(name, spanOf(span));
        await links.settled();
      }
      const found = await createLinks(SYSTEM_CLOCK, store).find(names);
      assert.deepEqual([...found.values()], [spanOf(3), spanOf(3), spanOf(3)]);
      assert.notEqual(nameOfReference('a', 'bc'), nameOfReference('ab', 'c'));
    });
  });
}
