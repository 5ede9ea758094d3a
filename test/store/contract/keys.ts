import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { NewApiKey } from '../../../src/core/api-key.ts';
import type { Store } from '../../../src/store/port.ts';
import { issueOne, LAX, type OpenedStore, type OpenStore, unique } from './rig.ts';

export function describeKeys(open: OpenStore): void {
  suite('keys', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const newKey = (wanted: Partial<NewApiKey> = {}): NewApiKey => ({
      id: unique('key'),
      name: 'a key',
      test: false,
      prefix: unique('csk_live'),
      hash: unique('hash'),
      createdAt: 1_000,
      ...wanted,
    });

    test('a key is made, found by its hash, and listed with its account', async () => {
      const key = newKey({ test: true, name: 'staging' });
      const made = await store.createKey('Acme', key);
      const { id, name, test: isTest, prefix, createdAt } = key;
      assert.deepEqual(made, {
        id,
        accountId: made.accountId,
        name,
        test: isTest,
        prefix,
        createdAt,
        lastUsedAt: null,
        revokedAt: null,
      });
      assert.deepEqual(await store.findKey(key.hash), made);
      assert.deepEqual(await store.listKeys(), [{ ...made, accountName: 'Acme' }]);
    });

    test('a hash that is none finds nothing', async () => {
      await store.createKey('Acme', newKey());
      assert.equal(await store.findKey('no such hash'), undefined);
    });

    test('an account is made once, however many make it at once', async () => {
      const made = await Promise.all([1, 2, 3, 4].map(() => store.createKey('Acme', newKey())));
      made.push(await store.createKey('Acme', newKey()));
      const other = await store.createKey('Other', newKey());
      const accounts = new Set(made.map(({ accountId }) => accountId));
      assert.equal(accounts.size, 1);
      assert.ok(!accounts.has(other.accountId));
    });

    test('keys are listed oldest first', async () => {
      for (const createdAt of [30, 10, 20]) await store.createKey(`of ${createdAt}`, newKey({ createdAt }));
      assert.deepEqual(
        (await store.listKeys()).map(({ accountName }) => accountName),
        ['of 10', 'of 20', 'of 30'],
      );
    });

    for (const by of ['id', 'prefix'] as const) {
      test(`a key is revoked by its ${by}, once and for all`, async () => {
        const key = newKey();
        const neighbour = newKey();
        const made = await store.createKey('Acme', key);
        await store.createKey('Acme', neighbour);
        assert.deepEqual(await store.revokeKey(key[by], 5_000), { ...made, revokedAt: 5_000 });
        assert.deepEqual(await store.revokeKey(key[by], 9_000), { ...made, revokedAt: 5_000 });
        assert.equal((await store.findKey(key.hash))?.revokedAt, 5_000, 'and still found');
        assert.equal((await store.findKey(neighbour.hash))?.revokedAt, null);
        const listed = (await store.listKeys()).map(({ revokedAt }) => revokedAt);
        assert.deepEqual(listed.sort(), [5_000, null].sort());
      });
    }

    test('a key is not revoked by its hash, its name or nothing', async () => {
      const key = newKey({ name: 'a name' });
      await store.createKey('Acme', key);
      for (const what of [key.hash, 'a name', '', 'Acme']) {
        assert.equal(await store.revokeKey(what, 5_000), undefined);
      }
      assert.equal((await store.findKey(key.hash))?.revokedAt, null);
    });

    test('the last use is noted, and never moved back', async () => {
      const [first, second, unused] = [newKey(), newKey(), newKey()];
      for (const key of [first, second, unused]) await store.createKey('Acme', key);
      await store.touchKeys(
        new Map([
          [first.id, 7_000],
          [second.id, 8_000],
          ['key_gone', 9_000],
        ]),
      );
      await store.touchKeys(new Map([[first.id, 6_000]]));
      await store.touchKeys(new Map());
      const uses = [first, second, unused].map(async ({ hash }) => (await store.findKey(hash))?.lastUsedAt);
      assert.deepEqual(await Promise.all(uses), [7_000, 8_000, null]);
    });

    test('a key of the same prefix is not made', async () => {
      const key = newKey();
      await store.createKey('Acme', key);
      await assert.rejects(store.createKey('Acme', newKey({ prefix: key.prefix })));
      assert.equal((await store.listKeys()).length, 1);
    });

    test('keys survive a restart', async () => {
      const key = newKey();
      const made = await store.createKey('Acme', key);
      assert.deepEqual(await (await opened.reopen()).findKey(key.hash), made);
    });

    test('the revision rises when another connection changes a key', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('the store has one connection alone');
      const key = newKey();
      await store.createKey('Acme', key);
      const before = await store.keysRevision();
      assert.equal(await store.keysRevision(), before, 'it stays while nothing happens');
      await second.revokeKey(key.id, 5_000);
      const after = await store.keysRevision();
      assert.ok(after > before);
      assert.equal((await store.findKey(key.hash))?.revokedAt, 5_000);
      await second.createKey('Acme', newKey());
      assert.ok((await store.keysRevision()) > after);
    });

    test('two connections serve the same data', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('the store has one connection alone');
      const { leaseUntil, id } = await issueOne(store);
      const [delivery] = await second.claim(leaseUntil, leaseUntil + 1, 1);
      assert.equal(delivery?.id, id);
    });
  });
}
