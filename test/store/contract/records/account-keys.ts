import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import {
  type AccountKeys,
  createAccountKeys,
  type KeyOutcome,
  MAX_KEYS_IN_USE,
} from '../../../../src/accounts/account-keys.ts';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { createIsSuccessor } from '../../../../src/accounts/key-succession.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import type { ApiKey, KeyStore } from '../../../../src/core/accounts/api-key.ts';
import { query, type Records, type Step } from '../../../../src/core/sql/records.ts';
import type { Store } from '../../../../src/store/port.ts';
import { issueOne, LAX, type OpenedStore, type OpenStore, unique } from '../rig.ts';

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
      account = createAccountKeys(store, 'owner');
      accountId = (await keys.createKey('Acme', newKey(), COMMAND_LINE)).accountId;
    });
    afterEach(() => opened.dispose());

    const material = () => ({ id: unique('key'), prefix: unique('csk_live'), hash: unique('hash') });
    const newKey = () => ({ ...material(), name: 'web shop', test: false, createdAt: NOW });
    const ADA = { name: 'Ada', address: '192.0.2.1' };
    const GRACE = { name: 'Grace', address: '192.0.2.2' };
    /** The audit entries of these actions, oldest first: who, from where, which key, and what. */
    const recorded = async (...actions: readonly string[]) =>
      (await readAuditLog(store, accountId)).entries
        .filter(({ action }) => actions.includes(action))
        .map(({ who, address, subject, detail }) => [who, address, subject, detail])
        .reverse();
    const tryToAdd = (wanted: Partial<ApiKey> = {}, by = account) =>
      by.add(accountId, { ...newKey(), expiresAt: null, restrictions: RESTRICTIONS, ...wanted }, ADA);
    const add = async (wanted: Partial<ApiKey> = {}) => {
      const outcome = await tryToAdd(wanted);
      assert.ok(outcome.kind === 'done');
      return outcome.key;
    };

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

    test('an account never has more keys in use than allowed, even if many are made at once', async () => {
      await store.transact(
        Array.from({ length: MAX_KEYS_IN_USE - 4 }, () => {
          const { id, prefix, hash } = material();
          const sql = `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at)
            VALUES ($1, $2, 'one of many', $3 = 1, $4, $5, $6)`;
          return { sql, args: [id, accountId, 0, prefix, hash, NOW] };
        }),
      );
      const over = [await add({ expiresAt: NOW + 1 }), await add()];
      await account.revoke(accountId, over[1]?.id ?? '', ADA, NOW);
      const second = createAccountKeys((await opened.second?.()) ?? store, 'owner');
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => tryToAdd({ createdAt: NOW + 1 }, i % 2 ? account : second)),
      );
      const done = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.key.id] : []));
      assert.equal(done.length, 3, 'one is the first of all, two are over');
      const [id = ''] = done;
      const rotation = await account.rotate(accountId, id, material(), HOUR, GRACE, NOW + 1);
      assert.deepEqual(rotation, { kind: 'too-many' });
      const other = (await keys.createKey('Other', newKey(), COMMAND_LINE)).accountId;
      const theirs = { ...newKey(), createdAt: NOW + 1, expiresAt: null, restrictions: RESTRICTIONS };
      assert.equal((await account.add(other, theirs, ADA)).kind, 'done', 'each account has its own');
      assert.equal((await account.find(accountId, id))?.replacedBy, null);
      await account.revoke(accountId, id, ADA, NOW + 1);
      assert.equal((await tryToAdd({ createdAt: NOW + 1 })).kind, 'done');
    });

    test('a key of another account looks as if it did not exist', async () => {
      const { id } = await add();
      const other = (await keys.createKey('Other', newKey(), COMMAND_LINE)).accountId;
      assert.equal((await account.list(other)).length, 1);
      assert.equal(await account.find(other, id), undefined);
      const outcomes = [
        await account.change(other, id, { name: 'stolen' }, ADA, NOW),
        await account.rotate(other, id, material(), 0, GRACE, NOW),
        await account.revoke(other, id, ADA, NOW),
        await account.revoke(accountId, 'key_none', ADA, NOW),
      ];
      assert.deepEqual(outcomes, Array(4).fill({ kind: 'unknown' }));
      assert.deepEqual((await account.find(accountId, id))?.revokedAt, null);
    });

    test('what is not mentioned stays as it is', async () => {
      const { id } = await add({ expiresAt: NOW + HOUR });
      const outcomes = [
        await account.change(accountId, id, { name: 'renamed' }, ADA, NOW),
        await account.change(accountId, id, { expiresAt: null }, ADA, NOW),
        await account.change(accountId, id, { restrictions: { ...RESTRICTIONS, sources: [] } }, ADA, NOW),
        await account.change(accountId, id, { expiresAt: NOW + 2 * HOUR }, ADA, NOW),
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
      const { prefix } = (await account.find(accountId, id)) ?? {};
      const entry = (name: string, detail: string) => ['Ada', '192.0.2.1', `${name} (${prefix})`, detail];
      assert.deepEqual(await recorded('key.changed'), [
        entry('web shop', 'name: renamed'),
        entry('renamed', 'expires: never'),
        entry('renamed', 'channels: sms; countries: DE, FR; sources: any'),
        entry('renamed', 'expires: 1970-01-01T02:16:40.000Z'),
      ]);
    });

    test('whether a key may bring codes is changed only by who says so, and its successor may what it may', async () => {
      const allowedOf = (outcome: KeyOutcome) => outcome.kind === 'done' && outcome.key.customCodes;
      for (const customCodes of [true, false]) {
        const { id } = await add({ customCodes });
        const renamed = await account.change(accountId, id, { name: 'renamed' }, ADA, NOW);
        assert.equal(allowedOf(renamed), customCodes);
        const changed = await account.change(accountId, id, { customCodes: !customCodes }, ADA, NOW);
        assert.equal(allowedOf(changed), !customCodes);
        const rotated = await account.rotate(accountId, id, material(), HOUR, ADA, NOW);
        assert.equal(allowedOf(rotated), !customCodes);
      }
    });

    test('a rotation keeps the old key valid for the overlap, and copies its restrictions', async () => {
      const old = await add({ expiresAt: NOW + 10 * HOUR, test: true });
      const next = material();
      const outcome = await account.rotate(accountId, old.id, next, HOUR, GRACE, NOW + HOUR);
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

    test('a key is the successor of all that it took the place of, and of nothing else', async () => {
      const isSuccessor = createIsSuccessor(store);
      const first = await add();
      const [second, third] = [material(), material()];
      await account.rotate(accountId, first.id, second, HOUR, GRACE, NOW);
      await account.rotate(accountId, second.id, third, HOUR, GRACE, NOW);
      const other = await add();
      const known = async (keyId: string) => [
        await isSuccessor(keyId, first.id),
        await isSuccessor(keyId, second.id),
        await isSuccessor(keyId, third.id),
      ];
      assert.deepEqual(await known(first.id), [false, false, false]);
      assert.deepEqual(await known(second.id), [true, false, false]);
      assert.deepEqual(await known(third.id), [true, true, false]);
      assert.deepEqual(await known(other.id), [false, false, false]);
      assert.equal(await isSuccessor(third.id, 'none'), false);
    });

    test('a key knows those that it came from, and so does what is sent again for it', async () => {
      const first = await add();
      const [second, third] = [material(), material()];
      await account.rotate(accountId, first.id, second, 0, GRACE, NOW);
      const rotated = await account.rotate(accountId, second.id, third, 0, GRACE, NOW);
      const line = [first.id, second.id];
      assert.ok(rotated.kind === 'done');
      assert.deepEqual(rotated.key.predecessors, line);
      assert.equal((await account.find(accountId, first.id))?.predecessors, undefined);
      // Those before it may be purged.
      await query(store, 'DELETE FROM api_key WHERE id IN ($1, $2)', ...line);
      assert.deepEqual((await keys.findKey(third.hash))?.predecessors, line);
      const last = material();
      await account.rotate(accountId, third.id, last, 0, GRACE, NOW);
      assert.deepEqual((await keys.findKey(last.hash))?.predecessors, [...line, third.id]);
      const waiting = await issueOne(store, { accountId, keyId: third.id });
      const [claimed] = await store.claim(waiting.leaseUntil, waiting.leaseUntil + 1_000, 10);
      assert.deepEqual(claimed?.predecessors, line);
      const plain = await issueOne(store, { accountId, keyId: (await add()).id });
      const [other] = await store.claim(plain.leaseUntil, plain.leaseUntil + 1_000, 10);
      assert.equal(other?.predecessors, undefined);
    });

    test('only a key that is allowed to bring codes may, and so may its successor', async () => {
      const plain = await add();
      const bringing = await add({ customCodes: true });
      assert.deepEqual([plain.customCodes, bringing.customCodes], [false, true]);
      for (const { id, customCodes } of [plain, bringing]) {
        const rotated = await account.rotate(accountId, id, material(), HOUR, GRACE, NOW);
        assert.equal(rotated.kind === 'done' && rotated.key.customCodes, customCodes);
      }
      const change = (customCodes: boolean | undefined) =>
        account.change(accountId, plain.id, { name: 'renamed', customCodes }, ADA, NOW);
      for (const [wanted, expected] of [
        [true, true],
        [undefined, true],
        [false, false],
      ] as const) {
        const changed = await change(wanted);
        assert.equal(changed.kind === 'done' && changed.key.customCodes, expected);
      }
    });

    test('a key that may bring codes is an owner’s to make, to rotate and to widen; whoever changes keys may lessen it', async () => {
      const developers = createAccountKeys(store, 'developer');
      const owners = { kind: 'owners' };
      assert.deepEqual(await tryToAdd({ customCodes: true }, developers), owners);
      const { id } = await add({ customCodes: true, expiresAt: NOW + HOUR });
      const plain = await add();
      const listed = await account.list(accountId);
      assert.deepEqual(await developers.rotate(accountId, id, material(), HOUR, ADA, NOW), owners);
      const change = (wanted: Parameters<AccountKeys['change']>[2], key = id) =>
        developers.change(accountId, key, wanted, ADA, NOW);
      for (const wider of [
        { restrictions: { ...RESTRICTIONS, sources: [] } },
        { restrictions: { ...RESTRICTIONS, countries: ['DE', 'FR', 'US'] } },
        { restrictions: { ...RESTRICTIONS, channels: [] } },
        { expiresAt: NOW + HOUR + 1 },
        { expiresAt: null },
        { name: 'renamed', expiresAt: null, customCodes: true },
      ]) {
        assert.deepEqual(await change(wider), owners, JSON.stringify(wider));
      }
      assert.deepEqual(await change({ customCodes: true }, plain.id), owners);
      assert.deepEqual(await account.list(accountId), listed, 'nothing was done');
      assert.deepEqual([await recorded('key.rotated'), await recorded('key.changed')], [[], []]);

      for (const lesser of [
        { name: 'renamed', restrictions: RESTRICTIONS, expiresAt: NOW + HOUR },
        { expiresAt: NOW + 10 },
        { customCodes: false, restrictions: { ...RESTRICTIONS, sources: [] }, expiresAt: null },
      ]) {
        assert.equal((await change(lesser)).kind, 'done', JSON.stringify(lesser));
      }
      assert.equal((await developers.rotate(accountId, id, material(), HOUR, ADA, NOW)).kind, 'done');
      const endless = await add({ customCodes: true });
      assert.equal((await change({ expiresAt: NOW + HOUR }, endless.id)).kind, 'done');
      assert.equal((await developers.revoke(accountId, endless.id, ADA, NOW)).kind, 'done');
      assert.deepEqual(await change({ expiresAt: null }, endless.id), { kind: 'over' });
    });

    test('no developer rotates a key that an owner lets bring codes at the same moment', async () => {
      const second = createAccountKeys((await opened.second?.()) ?? store, 'developer');
      for (let round = 0; round < 50; round++) {
        const { id } = await add();
        const [allowed, rotated] = await Promise.all([
          account.change(accountId, id, { customCodes: true }, ADA, NOW),
          second.rotate(accountId, id, material(), HOUR, GRACE, NOW),
        ]);
        assert.equal(allowed.kind, 'done');
        assert.ok(rotated.kind === 'owners' || (rotated.kind === 'done' && !rotated.key.customCodes));
      }
    });

    test('an overlap never prolongs the old key, and the successor of a key without expiry has none', async () => {
      const short = await add({ expiresAt: NOW + 10 });
      await account.rotate(accountId, short.id, material(), HOUR, GRACE, NOW);
      assert.equal((await account.find(accountId, short.id))?.expiresAt, NOW + 10);
      const endless = await add();
      const outcome = await account.rotate(accountId, endless.id, material(), 0, GRACE, NOW);
      assert.equal(outcome.kind === 'done' && outcome.key.expiresAt, null);
      assert.equal((await account.find(accountId, endless.id))?.expiresAt, NOW);
    });

    test('of many simultaneous rotations one is carried out, with one successor and one audit entry', async () => {
      const { id } = await add();
      const before = (await account.list(accountId)).length;
      const nodes = [account, createAccountKeys((await opened.second?.()) ?? store, 'owner')];
      const rotations = Array.from({ length: 40 }, (_, i) =>
        nodes[i % 2]?.rotate(accountId, id, material(), HOUR, GRACE, NOW),
      );
      const kinds = (await Promise.all(rotations)).map((outcome) => outcome?.kind);
      assert.deepEqual(kinds.toSorted(), ['done', ...Array(39).fill('over')]);
      assert.equal((await account.list(accountId)).length, before + 1);
      assert.equal((await recorded('key.rotated')).length, 1);
    });

    test('a change that races a rotation is in the successor, or only in the old key', async () => {
      for (let round = 0; round < 20; round++) {
        const { id } = await add();
        const next = material();
        const [changed] = await Promise.all([
          account.change(accountId, id, { name: 'changed' }, ADA, NOW),
          account.rotate(accountId, id, next, HOUR, GRACE, NOW),
        ]);
        assert.equal(changed.kind, 'done');
        assert.equal((await account.find(accountId, id))?.name, 'changed');
        assert.ok((await account.find(accountId, next.id)) !== undefined);
      }
    });

    test('a revoked, expired or replaced key cannot be changed back', async () => {
      const revoked = await add();
      await account.revoke(accountId, revoked.id, ADA, NOW);
      const expired = await add({ expiresAt: NOW });
      for (const { id } of [revoked, expired]) {
        const changed = await account.change(accountId, id, { expiresAt: NOW + HOUR }, ADA, NOW);
        const rotated = await account.rotate(accountId, id, material(), HOUR, GRACE, NOW);
        assert.deepEqual([changed, rotated], [{ kind: 'over' }, { kind: 'over' }]);
      }
      const replaced = await add();
      await account.rotate(accountId, replaced.id, material(), HOUR, GRACE, NOW);
      const change = (expiresAt: number | null) =>
        account.change(accountId, replaced.id, { expiresAt }, ADA, NOW);
      assert.equal((await change(null)).kind, 'over', 'a replaced key keeps an end');
      assert.equal((await change(NOW + 2 * HOUR)).kind, 'done', 'which may be put off');
      assert.equal((await recorded('key.rotated')).length, 1, 'what was not done is not on record');
      assert.equal((await recorded('key.changed')).length, 1);
    });

    test('a key can be revoked during its overlap; a second time changes nothing', async () => {
      const { id } = await add();
      await account.rotate(accountId, id, material(), HOUR, GRACE, NOW);
      const outcomes = [
        await account.revoke(accountId, id, ADA, NOW + 1),
        await account.revoke(accountId, id, ADA, NOW + 2),
      ];
      assert.deepEqual(
        outcomes.map((outcome) => outcome.kind === 'done' && outcome.key.revokedAt),
        [NOW + 1, NOW + 1],
      );
      assert.equal((await recorded('key.revoked')).length, 1);
    });

    test('a change and its audit entry are written together, or not at all', async () => {
      const key = await add();
      const broken: Step = {
        sql: 'INSERT INTO account (id, name, created_at) VALUES (NULL, NULL, 0)',
        args: [],
      };
      const isEntry = (step: Step) => 'sql' in step && step.sql.startsWith('INSERT INTO audit_entry');
      const unrecorded: Records = {
        random: store.random,
        keysRevision: store.keysRevision,
        transact(steps, announce) {
          return store.transact(
            steps.map((step) => (isEntry(step) ? broken : step)),
            announce,
          );
        },
      };
      const without = createAccountKeys(unrecorded, 'owner');
      const before = await account.list(accountId);
      await assert.rejects(without.change(accountId, key.id, { name: 'unrecorded' }, ADA, NOW));
      await assert.rejects(without.revoke(accountId, key.id, ADA, NOW));
      await assert.rejects(without.rotate(accountId, key.id, material(), 0, ADA, NOW));
      await assert.rejects(tryToAdd({}, without));
      assert.deepEqual(await account.list(accountId), before);
      assert.deepEqual(await account.find(accountId, key.id), key);
    });

    test('every change raises the revision', async () => {
      const { id } = await add();
      const { id: other } = await add();
      const changes = [
        () => add(),
        () => account.change(accountId, id, { name: 'other' }, ADA, NOW),
        () => account.rotate(accountId, id, material(), HOUR, GRACE, NOW),
        () => account.revoke(accountId, other, ADA, NOW),
      ];
      for (const change of changes) {
        const before = await store.keysRevision();
        await change();
        assert.ok((await store.keysRevision()) > before);
      }
    });
  });
}
