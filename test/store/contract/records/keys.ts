import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { sweepAccounts } from '../../../../src/accounts/sweep.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { type KeyStore, type NewApiKey, UNRESTRICTED } from '../../../../src/core/accounts/api-key.ts';
import type { Store } from '../../../../src/store/port.ts';
import { issueOne, LAX, type OpenedStore, type OpenStore, unique } from '../rig.ts';

export function describeKeys(open: OpenStore): void {
  suite('keys', () => {
    let opened: OpenedStore;
    let store: Store;
    let keys: KeyStore;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      keys = createKeys(store);
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
      const made = await keys.createKey('Acme', key, COMMAND_LINE);
      const { id, name, test: isTest, prefix, createdAt } = key;
      assert.deepEqual(made, {
        id,
        accountId: made.accountId,
        name,
        test: isTest,
        prefix,
        createdAt,
        createdBy: null,
        lastUsedAt: null,
        lastUsedFrom: null,
        expiresAt: null,
        revokedAt: null,
        restrictions: UNRESTRICTED,
        customCodes: false,
        replacedBy: null,
        predecessors: undefined,
      });
      assert.deepEqual(await keys.findKey(key.hash), { ...made, settings: null, blockedRanges: [] });
      assert.deepEqual(await keys.listKeys(), [{ ...made, accountName: 'Acme' }]);
    });

    test('a text that is not a hash finds nothing', async () => {
      await keys.createKey('Acme', newKey(), COMMAND_LINE);
      assert.equal(await keys.findKey('no such hash'), undefined);
    });

    test('an account is made once, even if many calls make it at once', async () => {
      const made = await Promise.all([1, 2, 3, 4].map(() => keys.createKey('Acme', newKey(), COMMAND_LINE)));
      made.push(await keys.createKey('Acme', newKey(), COMMAND_LINE));
      const other = await keys.createKey('Other', newKey(), COMMAND_LINE);
      const accounts = new Set(made.map(({ accountId }) => accountId));
      assert.equal(accounts.size, 1);
      assert.ok(!accounts.has(other.accountId));
    });

    test('keys are listed oldest first', async () => {
      for (const createdAt of [30, 10, 20])
        await keys.createKey(`of ${createdAt}`, newKey({ createdAt }), COMMAND_LINE);
      assert.deepEqual(
        (await keys.listKeys()).map(({ accountName }) => accountName),
        ['of 10', 'of 20', 'of 30'],
      );
    });

    suite('the first key', () => {
      const first = (key = newKey(), why?: string) => keys.createFirstKey('default', key, COMMAND_LINE, why);

      test('is made with its account in an empty store, and its entry says where it came from', async () => {
        const key = newKey({ test: true });
        const made = await first(key, 'from somewhere');
        assert.deepEqual(await keys.listKeys(), [{ ...made, accountName: 'default' }]);
        assert.deepEqual(await keys.findKey(key.hash), { ...made, settings: null, blockedRanges: [] });
        const { entries } = await readAuditLog(store, made?.accountId ?? '');
        assert.deepEqual(
          entries.map(({ action, detail }) => [action, detail]),
          [['key.created', 'from somewhere']],
        );
      });

      test('is one of many that are made at once, also over several connections', async () => {
        const second = await opened.second?.();
        const sides = [keys, ...(second === undefined ? [] : [createKeys(second)])];
        const same = newKey();
        const made = await Promise.all(
          Array.from({ length: 20 }, (_, i) => i).flatMap((i) =>
            sides.map((side) => side.createFirstKey('default', i % 2 === 0 ? same : newKey(), COMMAND_LINE)),
          ),
        );
        assert.equal(made.filter((key) => key !== undefined).length, 1);
        assert.equal((await keys.listKeys()).length, 1);
      });

      test('is not made beside another, even in another account', async () => {
        await keys.createKey('Acme', newKey(), COMMAND_LINE);
        assert.equal(await first(), undefined);
        assert.deepEqual(
          (await keys.listKeys()).map(({ accountName }) => accountName),
          ['Acme'],
        );
      });

      test('does not come back after it was revoked, nor when nothing is left of it', async () => {
        const key = newKey({ createdAt: 1_000 });
        await first(key);
        await keys.revokeKey(key.id, 2_000, COMMAND_LINE);
        assert.equal(await first(key), undefined);
        assert.equal((await keys.findKey(key.hash))?.revokedAt, 2_000);
        await sweepAccounts(store, { verifications: 0, statistics: 0 }, Date.now());
        assert.deepEqual(await keys.listKeys(), []);
        assert.equal(await first(key), undefined);
        assert.equal(await keys.findKey(key.hash), undefined);
      });
    });

    for (const by of ['id', 'prefix'] as const) {
      test(`a key is revoked by its ${by}, once and for all`, async () => {
        const key = newKey();
        const neighbour = newKey();
        const made = await keys.createKey('Acme', key, COMMAND_LINE);
        await keys.createKey('Acme', neighbour, COMMAND_LINE);
        assert.deepEqual(await keys.revokeKey(key[by], 5_000, COMMAND_LINE), { ...made, revokedAt: 5_000 });
        assert.deepEqual(await keys.revokeKey(key[by], 9_000, COMMAND_LINE), { ...made, revokedAt: 5_000 });
        assert.equal((await keys.findKey(key.hash))?.revokedAt, 5_000, 'and still found');
        assert.equal((await keys.findKey(neighbour.hash))?.revokedAt, null);
        const listed = (await keys.listKeys()).map(({ revokedAt }) => revokedAt);
        assert.deepEqual(listed.sort(), [5_000, null].sort());
      });
    }

    test('a revocation is on record, also by the prefix', async () => {
      const [one, other] = [newKey({ name: 'one' }), newKey({ name: 'other' })];
      const { accountId } = await keys.createKey('Acme', one, COMMAND_LINE);
      await keys.createKey('Acme', other, COMMAND_LINE);
      await keys.revokeKey(one.prefix, 5_000, COMMAND_LINE, 'leaked');
      await keys.revokeKey(other.id, 6_000, COMMAND_LINE);
      const { entries } = await readAuditLog(store, accountId);
      const revoked = entries.filter(({ action }) => action === 'key.revoked');
      assert.deepEqual(
        revoked.map(({ subject, detail }) => [subject, detail]),
        [
          [`other (${other.prefix})`, ''],
          [`one (${one.prefix})`, 'leaked'],
        ],
      );
    });

    test('a key is not revoked by its hash, its name or an empty text', async () => {
      const key = newKey({ name: 'a name' });
      await keys.createKey('Acme', key, COMMAND_LINE);
      for (const what of [key.hash, 'a name', '', 'Acme']) {
        assert.equal(await keys.revokeKey(what, 5_000, COMMAND_LINE), undefined);
      }
      assert.equal((await keys.findKey(key.hash))?.revokedAt, null);
    });

    test('the last use is recorded, and never moved back', async () => {
      const [first, second, unused] = [newKey(), newKey(), newKey()];
      for (const key of [first, second, unused]) await keys.createKey('Acme', key, COMMAND_LINE);
      const from = '192.0.2.1';
      await keys.touchKeys([
        { id: second.id, at: 8_000, from },
        { id: first.id, at: 7_000, from },
        { id: 'key_gone', at: 9_000, from },
      ]);
      await keys.touchKeys([{ id: first.id, at: 6_000, from: '192.0.2.2' }]);
      await keys.touchKeys([]);
      const uses = [first, second, unused].map(async ({ hash }) => {
        const key = await keys.findKey(hash);
        return [key?.lastUsedAt, key?.lastUsedFrom];
      });
      assert.deepEqual(await Promise.all(uses), [
        [7_000, from],
        [8_000, from],
        [null, null],
      ]);
    });

    test('the use of more keys than fit one transaction is recorded for all', async () => {
      const made = Array.from({ length: 130 }, () => newKey());
      for (const key of made) await keys.createKey('Acme', key, COMMAND_LINE);
      await keys.touchKeys(made.map(({ id }) => ({ id, at: 7_000, from: '192.0.2.1' })));
      assert.ok((await keys.listKeys()).every(({ lastUsedAt }) => lastUsedAt === 7_000));
    });

    test('a second key with the same prefix is not made', async () => {
      const key = newKey();
      await keys.createKey('Acme', key, COMMAND_LINE);
      await assert.rejects(keys.createKey('Acme', newKey({ prefix: key.prefix }), COMMAND_LINE));
      assert.equal((await keys.listKeys()).length, 1);
    });

    test('keys survive a restart', async () => {
      const key = newKey();
      const made = await keys.createKey('Acme', key, COMMAND_LINE);
      assert.deepEqual(await createKeys(await opened.reopen()).findKey(key.hash), {
        ...made,
        settings: null,
        blockedRanges: [],
      });
    });

    test('the revision rises when another connection changes a key', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('the store has only one connection');
      const key = newKey();
      await keys.createKey('Acme', key, COMMAND_LINE);
      const before = await keys.keysRevision();
      assert.equal(await keys.keysRevision(), before, 'it stays while nothing happens');
      await createKeys(second).revokeKey(key.id, 5_000, COMMAND_LINE);
      const after = await keys.keysRevision();
      assert.ok(after > before);
      assert.equal((await keys.findKey(key.hash))?.revokedAt, 5_000);
      await createKeys(second).createKey('Acme', newKey(), COMMAND_LINE);
      assert.ok((await keys.keysRevision()) > after);
    });

    test('the revision rises when this connection itself changes a key, but not with traffic', async () => {
      const key = newKey();
      const before = await keys.keysRevision();
      await keys.createKey('Acme', key, COMMAND_LINE);
      const created = await keys.keysRevision();
      assert.ok(created > before);
      await keys.touchKeys([{ id: key.id, at: 1, from: '192.0.2.1' }]);
      await issueOne(store);
      assert.equal(await keys.keysRevision(), created);
      await keys.revokeKey(key.id, 5_000, COMMAND_LINE);
      assert.ok((await keys.keysRevision()) > created);
    });

    test('two connections serve the same data', async (t) => {
      const second = await opened.second?.();
      if (second === undefined) return t.skip('the store has only one connection');
      const { leaseUntil, id } = await issueOne(store);
      const [delivery] = await second.claim(leaseUntil, leaseUntil + 1, 1);
      assert.equal(delivery?.id, id);
    });
  });
}
