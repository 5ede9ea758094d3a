import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../src/store/port.ts';
import { DAY, LAX, MINUTE, type OpenedStore, type OpenStore, unique } from './rig.ts';

export function describeInbox(open: OpenStore): void {
  suite('inbox', () => {
    let opened: OpenedStore;
    let store: Store;
    const now = Date.now();

    before(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    after(() => opened.dispose());

    const record = async (accountId: string, destinationHash: string, sealed: string, at = now) => {
      await store.record({ id: unique('ver'), accountId, destinationHash, sealed, at });
    };
    const list = async (accountId: string, hashes: readonly string[] | null = null, limit = 100) =>
      (await store.list(accountId, hashes, limit)).map(({ sealed }) => sealed);

    test('messages are listed newest first, in whatever order they came', async () => {
      const account = unique('acc');
      const hash = unique('hash');
      await record(account, hash, 'second', now - 2);
      await record(account, unique('hash'), 'first', now - 1);
      await record(account, hash, 'third', now - DAY + MINUTE);
      assert.deepEqual(await list(account), ['first', 'second', 'third']);
    });

    test('only the account sees them', async () => {
      const [own, other] = [unique('acc'), unique('acc')];
      const hash = unique('hash');
      await record(own, hash, 'mine');
      await record(other, hash, 'theirs');
      assert.deepEqual(await list(own), ['mine']);
      assert.deepEqual(await list(own, [hash]), ['mine']);
      assert.deepEqual(await list(unique('acc'), [hash]), []);
    });

    test('they can be asked for by destination, under any of its hashes', async () => {
      const account = unique('acc');
      const [current, previous] = [unique('hash'), unique('hash')];
      await record(account, current, 'new', now - 1);
      await record(account, previous, 'old', now - 2);
      await record(account, unique('hash'), 'elsewhere');
      assert.deepEqual(await list(account, [current, previous]), ['new', 'old']);
      assert.deepEqual(await list(account, [previous]), ['old']);
      assert.deepEqual(await list(account, []), []);
      assert.deepEqual(await list(account, [unique('hash')]), []);
    });

    test('no more are listed than asked for, the newest', async () => {
      const account = unique('acc');
      const hash = unique('hash');
      for (let i = 0; i < 5; i++) await record(account, hash, `${i}`, now - 10 + i);
      assert.deepEqual(await list(account, null, 2), ['4', '3']);
      assert.deepEqual(await list(account, [hash], 2), ['4', '3']);
    });

    test('messages of one moment are all kept, and a repetition of one is not', async () => {
      const account = unique('acc');
      const entry = { id: unique('ver'), accountId: account, destinationHash: 'h', sealed: 'same', at: now };
      await store.record(entry);
      await store.record(entry);
      await record(account, 'h', 'other');
      assert.deepEqual((await list(account)).sort(), ['other', 'same']);
    });

    test('messages survive a restart', async (t) => {
      const own = await open(LAX);
      t.after(() => own.dispose());
      const account = unique('acc');
      await own.store.record({ id: 'v', accountId: account, destinationHash: 'h', sealed: 'kept', at: now });
      const again = await own.reopen();
      assert.deepEqual(await again.list(account, null, 10), [{ sealed: 'kept' }]);
    });
  });
}
