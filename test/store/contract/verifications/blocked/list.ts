/** What is on the list, and who may take it off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addNumbers,
  blockNumbers,
  listBlockedNumbers,
  unblockListed,
  unblockNumber,
} from '../../../../../src/accounts/blocking/blocked-numbers.ts';
import {
  blockRange,
  listBlockedRanges,
  unblockRange,
} from '../../../../../src/accounts/blocking/blocked-ranges.ts';
import { noteExport, readNumbers } from '../../../../../src/accounts/blocking/carry-over.ts';
import { createKeys } from '../../../../../src/accounts/keys.ts';
import { findNumber } from '../../../../../src/accounts/numbers.ts';
import { COMMAND_LINE } from '../../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../../src/core/accounts/api-key-format.ts';
import { MAX_RANGES } from '../../../../../src/core/blocking/range.ts';
import { SYSTEM_CLOCK } from '../../../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../../../src/core/seams/random.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { DAY, tally, transactInParts, unique } from '../../rig.ts';
import { type BlockedRig, FIRST, NUMBER, SECOND } from './rig.ts';

export function describeList(rig: BlockedRig): void {
  const { now, keyring, addAccount, verificationOf, kindOf, block, entries } = rig;

  test('a number is refused from then on, until it is taken off; others, other accounts and test keys are not', async () => {
    assert.equal(await block([NUMBER, NUMBER, '+4915112345679']), 2);
    assert.equal(await block(), 0);
    const keyId = unique('key');
    for (let i = 0; i < 5; i++) assert.equal(await kindOf(verificationOf({ keyId })), 'blocked');
    assert.equal(await kindOf(verificationOf({ keyId }, { number: '+4915112345670' })), 'issued');
    assert.equal(await kindOf(verificationOf({ accountId: await addAccount() })), 'issued');
    assert.equal(await kindOf(verificationOf({ test: true })), 'issued');
    assert.equal(await kindOf({ ...verificationOf(), test: true }), 'issued', 'whatever its hash');
    const deps = { records: rig.store, keyring };
    assert.equal(await unblockNumber(deps, rig.accountId, NUMBER, COMMAND_LINE, now), true);
    assert.equal(await unblockNumber(deps, rig.accountId, NUMBER, COMMAND_LINE, now), false);
    assert.equal(await kindOf(verificationOf()), 'issued');
    assert.deepEqual(await entries(), [
      ['command line', 'number.unblocked', 'a number', ''],
      ['command line', 'number.blocked', '2 numbers', ''],
    ]);
  });

  test('what is read of a list to be carried over can be added to another, and is refused there', async () => {
    await block([NUMBER, '+4915112345679']);
    const deps = { records: rig.store, keyring };
    const pages = await Array.fromAsync(readNumbers(deps, rig.accountId));
    assert.deepEqual(
      pages.map(({ numbers, lost }) => [numbers.map(({ address, source }) => [address, source]), lost]),
      [[[NUMBER, '+4915112345679'].map((number) => [number, 'person']), 0]],
    );
    const other = await addAccount();
    const numbers = pages.flatMap((page) => page.numbers);
    assert.equal(await addNumbers(deps, other, numbers, COMMAND_LINE, now), 2);
    assert.equal(await kindOf(verificationOf({ accountId: other })), 'blocked');
    await noteExport(rig.store, rig.accountId, COMMAND_LINE, now);
    assert.deepEqual((await entries())[0]?.slice(0, 2), ['command line', 'number.exported']);
    const stranger = {
      records: rig.store,
      keyring: new Keyring('another secret, which is long enough for all'),
    };
    const [unread] = await Array.fromAsync(readNumbers(stranger, rig.accountId));
    assert.deepEqual(unread, { numbers: [], lost: 2 });
  });

  test('a refusal costs no limit, no count and no Idempotency-Key', async () => {
    await block();
    const keyId = unique('key');
    const idempotency = { keyHash: unique('k'), bodyHash: 'b' };
    for (let i = 0; i < 10; i++)
      assert.equal(await kindOf(verificationOf({ keyId, idempotency })), 'blocked');
    await unblockNumber({ records: rig.store, keyring }, rig.accountId, NUMBER, COMMAND_LINE, now);
    assert.equal(await kindOf(verificationOf({ keyId, idempotency })), 'issued');
    for (const expected of ['issued', 'issued', 'limited']) {
      assert.equal(await kindOf(verificationOf({ keyId })), expected);
    }
    const from = now - DAY;
    const counted = await query(rig.store, 'SELECT sum(requested) AS sum FROM tally WHERE at >= $1', from);
    assert.ok(Number(counted[0]?.sum ?? 0) <= 3);
  });

  test('a repetition of what was sent before is answered as before', async () => {
    const idempotency = { keyHash: unique('k'), bodyHash: 'b' };
    assert.equal(await kindOf(verificationOf({ idempotency })), 'issued');
    await block();
    assert.equal(await kindOf(verificationOf({ idempotency })), 'replayed');
  });

  test('once it is there, none of many concurrent requests is issued', async () => {
    const writer = (await rig.opened.second?.()) ?? rig.store;
    const requests = () => Array.from({ length: 100 }, () => rig.store.issue(verificationOf()));
    const before = requests();
    await blockNumbers({ records: writer, keyring }, rig.accountId, [NUMBER], COMMAND_LINE, now);
    const after = requests();
    const { issued = 0, blocked = 0, ...others } = tally(await Promise.all(before));
    assert.deepEqual([issued + blocked, others], [100, {}]);
    assert.deepEqual(tally(await Promise.all(after)), { blocked: 100 });
  });

  test('the list shows the newest first, masked, a page at a time, and each can be taken off', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => `+49151123400${String(i).padStart(2, '0')}`);
    await block(numbers);
    const deps = { records: rig.store, keyring };
    const first = await listBlockedNumbers(deps, rig.accountId);
    const second = await listBlockedNumbers(deps, rig.accountId, first.next ?? '');
    assert.deepEqual([first.numbers.length, second.numbers.length, second.next], [50, 10, null]);
    const all = [...first.numbers, ...second.numbers];
    assert.equal(new Set(all.map(({ number }) => number)).size, 60);
    assert.ok(
      all.every(({ number }) => /^\+49•{8,9}\d\d$/.test(number)),
      String(all[0]?.number),
    );
    const id = all[3]?.id ?? '';
    assert.equal(await unblockListed(deps, 'acc_other', id, COMMAND_LINE, now), false);
    assert.equal(await unblockListed(deps, rig.accountId, id, COMMAND_LINE, now), true);
    assert.equal((await listBlockedNumbers(deps, rig.accountId)).numbers.length, 50);
  });

  test('an account sees its own list, and takes off what is its own', async () => {
    const deps = { records: rig.store, keyring };
    const other = await addAccount();
    await block();
    await blockRange(rig.store, rig.accountId, '+88213', COMMAND_LINE, now);
    assert.deepEqual((await listBlockedNumbers(deps, other)).numbers, []);
    assert.deepEqual(await listBlockedRanges(rig.store, other), []);
    assert.equal(await unblockNumber(deps, other, NUMBER, COMMAND_LINE, now), false);
    assert.equal(await unblockRange(rig.store, other, '+88213', COMMAND_LINE, now), false);
    assert.equal((await listBlockedRanges(rig.store, rig.accountId)).length, 1);
    assert.equal(await kindOf(verificationOf()), 'blocked');
  });

  test('ranges come with the key, are few, and are told to every node', async () => {
    const { key: _, ...minted } = mintKey(SYSTEM_RANDOM, false);
    const name = unique('account');
    const made = { ...minted, name: 'k', test: false, createdAt: now };
    const { accountId: mine } = await createKeys(rig.store).createKey(name, made, COMMAND_LINE);
    const ranges = async () => (await createKeys(rig.store).findKey(minted.hash))?.blockedRanges;
    assert.deepEqual(await ranges(), []);
    const revision = await rig.store.keysRevision();
    assert.equal(await blockRange(rig.store, mine, '+88213', COMMAND_LINE, now), 'added');
    assert.notEqual(await rig.store.keysRevision(), revision);
    assert.equal(await blockRange(rig.store, mine, '+88213', COMMAND_LINE, now), 'known');
    assert.equal(await blockRange(rig.store, mine, '+3725', COMMAND_LINE, now), 'added');
    assert.deepEqual((await ranges())?.toSorted(), ['+3725', '+88213']);
    assert.equal(await unblockRange(rig.store, mine, '+3725', COMMAND_LINE, now), true);
    assert.equal(await unblockRange(rig.store, mine, '+3725', COMMAND_LINE, now), false);
    assert.deepEqual(await ranges(), ['+88213']);
    const more = Array.from({ length: MAX_RANGES - 2 }, (_, i) => ({
      sql: 'INSERT INTO blocked_range (account_id, prefix, created_at) VALUES ($1, $2, $3)',
      args: [mine, `+9${10_000 + i}`, now],
    }));
    await transactInParts(rig.store, more);
    const last = ['+41', '+42', '+43'].map((prefix) =>
      blockRange(rig.store, mine, prefix, COMMAND_LINE, now),
    );
    assert.deepEqual((await Promise.all(last)).sort(), ['added', 'too-many', 'too-many']);
    assert.equal((await listBlockedRanges(rig.store, mine)).length, MAX_RANGES);
    assert.equal(
      await blockRange(rig.store, rig.accountId, '+41', COMMAND_LINE, now),
      'added',
      'each has its own',
    );
    assert.equal((await ranges())?.length, MAX_RANGES, 'those of another account do not come with the key');
  });

  test('an erasure leaves the list alone unless it is told otherwise; of concurrent ones one takes the number off', async () => {
    const sent = verificationOf();
    await rig.store.issue(sent);
    await block();
    const deps = {
      archive: rig.store,
      keyring: new Keyring(SECOND, FIRST),
      records: rig.store,
      by: COMMAND_LINE,
      clock: SYSTEM_CLOCK,
    };
    const number = findNumber(deps, NUMBER, [{ id: rig.accountId, name: 'acme' }]);
    assert.equal((await number.exportPart(null)).listings.length, 1);
    assert.deepEqual((await number.exportPart(sent.id)).listings, [], 'they come with the first part only');
    const { erased, listedBy } = await number.erasePart(null, false);
    assert.deepEqual([erased, listedBy], [1, ['acme']]);
    assert.equal(await kindOf(verificationOf()), 'blocked');
    const all = await Promise.all(Array.from({ length: 20 }, () => number.erasePart(null, true)));
    assert.equal(all.filter(({ listedBy }) => listedBy.length > 0).length, 1);
    const unblocked = (await entries()).filter(([, action]) => action === 'number.unblocked');
    assert.deepEqual(unblocked, [['command line', 'number.unblocked', 'a number', '']]);
    assert.equal(await kindOf(verificationOf()), 'issued');
  });

  test('an erasure takes the number off the list of every account, and is in the log of each', async () => {
    const other = await addAccount();
    await rig.store.issue(verificationOf());
    await block();
    const deps = {
      ...{ archive: rig.store, keyring, records: rig.store, by: COMMAND_LINE, clock: SYSTEM_CLOCK },
    };
    await blockNumbers(deps, other, [NUMBER], COMMAND_LINE, now);
    const accounts = [
      { id: rig.accountId, name: 'acme' },
      { id: other, name: 'other' },
    ];
    const { erased, listedBy } = await findNumber(deps, NUMBER, accounts).erasePart(null, true);
    assert.deepEqual([erased, [...listedBy].sort()], [1, ['acme', 'other']]);
    for (const { id } of accounts) {
      assert.deepEqual((await listBlockedNumbers(deps, id)).numbers, []);
      assert.ok((await entries(id)).some(([, action]) => action === 'number.unblocked'));
    }
  });
}
