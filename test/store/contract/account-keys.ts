import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { type AccountKeys, type ApiKey, type KeyStore, MAX_KEYS_IN_USE } from '../../../src/core/api-key.ts';
import { query, type Step } from '../../../src/core/records.ts';
import type { Store } from '../../../src/store/port.ts';
import { createAccountKeys } from '../../../src/store/records/account-keys.ts';
import { createKeys } from '../../../src/store/records/keys.ts';
import { LAX, type OpenedStore, type OpenStore, unique } from './rig.ts';

const NOW = 1_000_000;
const HOUR = 3_600_000;
const RESTRICTIONS = { channels: ['sms'], countries: ['DE', 'FR'], sources: ['192.0.2.0/24'] } as const;

export function describeAccountKeys(open: OpenStore): void {
  suite('keys of an account', () => {
    let opened: OpenedStore;
    let store: Store;
    let keys: KeyStore;
    let account: AccountKeys;
    let accountId: string;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      keys = createKeys(store);
      account = createAccountKeys(store);
      accountId = (await keys.createKey('Acme', newKey())).accountId;
    });
    afterEach(() => opened.dispose());

    const material = () => ({ id: unique('key'), prefix: unique('csk_live'), hash: unique('hash') });
    const newKey = () => ({ ...material(), name: 'web shop', test: false, createdAt: NOW });
    /** Stands for what the audit log is told. */
    const record = (name: string): Step => ({
      sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, 0)',
      args: [unique('acc'), name],
    });
    const recorded = async () => {
      const rows = await query(store, 'SELECT name FROM account WHERE created_at = 0 ORDER BY name');
      return rows.map(({ name }) => name);
    };
    const tryToAdd = (wanted: Partial<ApiKey> = {}, by = account) =>
      by.add(
        accountId,
        { ...newKey(), createdBy: 'Ada', expiresAt: null, restrictions: RESTRICTIONS, ...wanted },
        record(unique('add')),
      );
    const add = async (wanted: Partial<ApiKey> = {}) => {
      const outcome = await tryToAdd(wanted);
      assert.ok(outcome.kind === 'done');
      return outcome.key;
    };
    const successor = () => ({ ...material(), createdBy: 'Grace' });

    test('a key is made with its bounds, and listed newest first', async () => {
      const made = await add({ createdAt: NOW + 1, expiresAt: NOW + HOUR, test: true });
      assert.deepEqual(
        [made.createdBy, made.expiresAt, made.test, made.accountId, made.replacedBy],
        ['Ada', NOW + HOUR, true, accountId, null],
      );
      assert.deepEqual(made.restrictions, RESTRICTIONS);
      const listed = await account.list(accountId);
      assert.deepEqual(listed[0], made);
      assert.equal(listed.length, 2);
      assert.deepEqual(await account.find(accountId, made.id), made);
    });

    test('an account has as many keys in use as it may, however many are made at once', async () => {
      await store.transact(
        Array.from({ length: MAX_KEYS_IN_USE - 4 }, () => {
          const { id, prefix, hash } = material();
          const sql = `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at)
            VALUES ($1, $2, 'one of many', $3 = 1, $4, $5, $6)`;
          return { sql, args: [id, accountId, 0, prefix, hash, NOW] };
        }),
      );
      const over = [await add({ expiresAt: NOW + 1 }), await add()];
      await account.revoke(accountId, over[1]?.id ?? '', NOW, record('revoked'));
      const second = createAccountKeys((await opened.second?.()) ?? store);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => tryToAdd({ createdAt: NOW + 1 }, i % 2 ? account : second)),
      );
      const done = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.key.id] : []));
      assert.equal(done.length, 3, 'one is the first of all, two are over');
      const [id = ''] = done;
      const rotation = await account.rotate(accountId, id, successor(), HOUR, NOW + 1, record('rotated'));
      assert.deepEqual(rotation, { kind: 'too-many' });
      assert.equal((await account.find(accountId, id))?.replacedBy, null);
      await account.revoke(accountId, id, NOW + 1, record('room'));
      assert.equal((await tryToAdd({ createdAt: NOW + 1 })).kind, 'done');
    });

    test('a key of another account is as unknown as none', async () => {
      const { id } = await add();
      const other = (await keys.createKey('Other', newKey())).accountId;
      assert.equal((await account.list(other)).length, 1);
      assert.equal(await account.find(other, id), undefined);
      const outcomes = [
        await account.change(other, id, { name: 'stolen' }, NOW, record('a')),
        await account.rotate(other, id, successor(), 0, NOW, record('b')),
        await account.revoke(other, id, NOW, record('c')),
        await account.revoke(accountId, 'key_none', NOW, record('d')),
      ];
      assert.deepEqual(outcomes, Array(4).fill({ kind: 'unknown' }));
      assert.deepEqual((await account.find(accountId, id))?.revokedAt, null);
    });

    test('what is not mentioned stays as it is', async () => {
      const { id } = await add({ expiresAt: NOW + HOUR });
      const outcomes = [
        await account.change(accountId, id, { name: 'renamed' }, NOW, record('a')),
        await account.change(accountId, id, { expiresAt: null }, NOW, record('b')),
        await account.change(
          accountId,
          id,
          { restrictions: { ...RESTRICTIONS, sources: [] } },
          NOW,
          record('c'),
        ),
        await account.change(accountId, id, { expiresAt: NOW + 2 * HOUR }, NOW, record('d')),
      ];
      assert.deepEqual(
        outcomes.map((outcome) =>
          outcome.kind === 'done'
            ? [outcome.key.name, outcome.key.expiresAt, outcome.key.restrictions.sources.length]
            : outcome.kind,
        ),
        [
          ['renamed', NOW + HOUR, 1],
          ['renamed', null, 1],
          ['renamed', null, 0],
          ['renamed', NOW + 2 * HOUR, 0],
        ],
      );
      const names = await recorded();
      assert.ok(['a', 'b', 'c', 'd'].every((name) => names.includes(name)));
    });

    test('a rotation leaves the old key good for its overlap, and copies what bounds it', async () => {
      const old = await add({ expiresAt: NOW + 10 * HOUR, test: true });
      const next = successor();
      const outcome = await account.rotate(accountId, old.id, next, HOUR, NOW + HOUR, record('rotated'));
      assert.ok(outcome.kind === 'done');
      const { key } = outcome;
      assert.deepEqual(
        [key.id, key.name, key.test, key.createdBy, key.createdAt, key.replacedBy],
        [next.id, 'web shop', true, 'Grace', NOW + HOUR, null],
      );
      assert.deepEqual(key.restrictions, RESTRICTIONS);
      assert.equal(key.expiresAt, NOW + 11 * HOUR, 'as long a life as the old one was given');
      const replaced = await account.find(accountId, old.id);
      assert.deepEqual([replaced?.expiresAt, replaced?.replacedBy], [NOW + 2 * HOUR, next.id]);
      assert.deepEqual((await keys.findKey(next.hash))?.id, next.id);
    });

    test('an overlap never prolongs the old key, and a successor of one without end has none', async () => {
      const short = await add({ expiresAt: NOW + 10 });
      await account.rotate(accountId, short.id, successor(), HOUR, NOW, record('a'));
      assert.equal((await account.find(accountId, short.id))?.expiresAt, NOW + 10);
      const endless = await add();
      const outcome = await account.rotate(accountId, endless.id, successor(), 0, NOW, record('b'));
      assert.equal(outcome.kind === 'done' && outcome.key.expiresAt, null);
      assert.equal((await account.find(accountId, endless.id))?.expiresAt, NOW);
    });

    test('of many simultaneous rotations one is done, with one successor and one record', async () => {
      const { id } = await add();
      const before = (await account.list(accountId)).length;
      const nodes = [account, createAccountKeys((await opened.second?.()) ?? store)];
      const rotations = Array.from({ length: 40 }, (_, i) =>
        nodes[i % 2]?.rotate(accountId, id, successor(), HOUR, NOW, record(unique('rotation'))),
      );
      const kinds = (await Promise.all(rotations)).map((outcome) => outcome?.kind);
      assert.deepEqual(kinds.toSorted(), ['done', ...Array(39).fill('over')]);
      assert.equal((await account.list(accountId)).length, before + 1);
      const rotated = (await recorded()).filter((name) => String(name).startsWith('rotation'));
      assert.equal(rotated.length, 1);
    });

    test('a change that races a rotation is in the successor, or comes to the old key alone', async () => {
      for (let round = 0; round < 20; round++) {
        const { id } = await add();
        const next = successor();
        const [changed] = await Promise.all([
          account.change(accountId, id, { name: 'changed' }, NOW, record(unique('change'))),
          account.rotate(accountId, id, next, HOUR, NOW, record(unique('rotate'))),
        ]);
        assert.equal(changed.kind, 'done');
        assert.equal((await account.find(accountId, id))?.name, 'changed');
        assert.ok((await account.find(accountId, next.id)) !== undefined);
      }
    });

    test('what is revoked, expired or replaced is not changed back', async () => {
      const revoked = await add();
      await account.revoke(accountId, revoked.id, NOW, record('revoke'));
      const expired = await add({ expiresAt: NOW });
      for (const { id } of [revoked, expired]) {
        const changed = await account.change(
          accountId,
          id,
          { expiresAt: NOW + HOUR },
          NOW,
          record('unwritten'),
        );
        const rotated = await account.rotate(accountId, id, successor(), HOUR, NOW, record('unwritten'));
        assert.deepEqual([changed, rotated], [{ kind: 'over' }, { kind: 'over' }]);
      }
      const replaced = await add();
      await account.rotate(accountId, replaced.id, successor(), HOUR, NOW, record('rotate'));
      const change = (expiresAt: number | null) =>
        account.change(accountId, replaced.id, { expiresAt }, NOW, record(unique('change')));
      assert.equal((await change(null)).kind, 'over', 'a replaced key keeps an end');
      assert.equal((await change(NOW + 2 * HOUR)).kind, 'done', 'which may be put off');
      assert.ok(!(await recorded()).includes('unwritten'));
    });

    test('a key in its overlap is revoked; twice is once', async () => {
      const { id } = await add();
      await account.rotate(accountId, id, successor(), HOUR, NOW, record('rotate'));
      const outcomes = [
        await account.revoke(accountId, id, NOW + 1, record('revoke 1')),
        await account.revoke(accountId, id, NOW + 2, record('revoke 2')),
      ];
      assert.deepEqual(
        outcomes.map((outcome) => outcome.kind === 'done' && outcome.key.revokedAt),
        [NOW + 1, NOW + 1],
      );
      assert.deepEqual(
        (await recorded()).filter((name) => String(name).startsWith('revoke')),
        ['revoke 1'],
      );
    });

    test('a change and its record are done together, or not at all', async () => {
      const key = await add();
      const broken: Step = {
        sql: 'INSERT INTO account (id, name, created_at) VALUES (NULL, NULL, 0)',
        args: [],
      };
      await assert.rejects(account.change(accountId, key.id, { name: 'unrecorded' }, NOW, broken));
      await assert.rejects(account.revoke(accountId, key.id, NOW, broken));
      await assert.rejects(account.rotate(accountId, key.id, successor(), 0, NOW, broken));
      assert.deepEqual(await account.find(accountId, key.id), key);
    });

    test('every change moves the revision', async () => {
      const { id } = await add();
      const { id: other } = await add();
      const changes = [
        () => add(),
        () => account.change(accountId, id, { name: 'other' }, NOW, record('a')),
        () => account.rotate(accountId, id, successor(), HOUR, NOW, record('b')),
        () => account.revoke(accountId, other, NOW, record('c')),
      ];
      for (const change of changes) {
        const before = await store.keysRevision();
        await change();
        assert.ok((await store.keysRevision()) > before);
      }
    });
  });
}
