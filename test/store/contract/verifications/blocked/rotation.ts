/** What becomes of the list while secrets are rotated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listBlockedNumbers,
  rehashNumbers,
  unblockNumber,
} from '../../../../../src/accounts/blocking/blocked-numbers.ts';
import { COMMAND_LINE } from '../../../../../src/core/accounts/actor.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { type BlockedRig, FIRST, FOURTH, NUMBER, SECOND, THIRD } from './rig.ts';

export function describeListRotation(rig: BlockedRig): void {
  const { now, keyring, verificationOf, kindOf, block } = rig;

  test('a number that was added under the previous secret is taken off', async () => {
    await block();
    const during = new Keyring(SECOND, FIRST);
    const deps = { records: rig.store, keyring: during };
    assert.equal(await unblockNumber(deps, rig.accountId, NUMBER, COMMAND_LINE, now), true);
    assert.equal(await kindOf(verificationOf({}, { ring: during })), 'issued');
  });

  test('a list outlives any number of rotations', async () => {
    await block();
    const during = new Keyring(SECOND, FIRST);
    assert.equal(await kindOf(verificationOf({}, { ring: during })), 'blocked');
    assert.equal(await block([NUMBER, '+4915112345679'], during), 1, 'known under the earlier secret');
    assert.deepEqual(await rehashNumbers({ records: rig.store, keyring: during }), { hashed: 1, lost: 0 });
    assert.deepEqual(await rehashNumbers({ records: rig.store, keyring: during }), { hashed: 0, lost: 0 });
    const later = new Keyring(THIRD, SECOND);
    assert.equal(await kindOf(verificationOf({}, { ring: later })), 'blocked');
    const { numbers } = await listBlockedNumbers({ records: rig.store, keyring: later }, rig.accountId);
    assert.deepEqual(
      numbers.map(({ number }) => number),
      ['+49•••••••••79', '+49•••••••••78'],
    );
    const [others] = await query(
      rig.store,
      'SELECT count(*) AS n FROM blocked_number WHERE secret_id <> $1',
      during.secretId,
    );
    assert.equal(others?.n, 0);
  });

  test('what was hashed by a node with the old secret during a rotation becomes one row', async () => {
    const during = new Keyring(SECOND, FIRST);
    await block([NUMBER], during);
    await block([NUMBER], keyring);
    assert.deepEqual(await rehashNumbers({ records: rig.store, keyring: during }), { hashed: 1, lost: 0 });
    const { numbers } = await listBlockedNumbers({ records: rig.store, keyring: during }, rig.accountId);
    assert.equal(numbers.length, 1);
  });

  test('what no secret opens any more is counted and left alone', async () => {
    await block([NUMBER, '+4915112345679']);
    const records = rig.store;
    assert.deepEqual(await rehashNumbers({ records, keyring: new Keyring(THIRD, SECOND) }), {
      hashed: 0,
      lost: 2,
    });
    const { numbers } = await listBlockedNumbers({ records, keyring: new Keyring(THIRD) }, rig.accountId);
    assert.deepEqual(
      numbers.map(({ number }) => number),
      ['•••', '•••'],
    );
  });

  test('what one secret opens no more keeps nothing of another from a new one', async () => {
    const all = [NUMBER, '+4915112345679', '+4915112345670', '+4915112345671'];
    const [one = '', two = '', three = '', four = ''] = all;
    const rehash = (current: string, previous: string) =>
      rehashNumbers({ records: rig.store, keyring: new Keyring(current, previous) });
    await block([one], new Keyring(FIRST));
    await block([two], new Keyring(SECOND));
    assert.deepEqual(await rehash(THIRD, FIRST), { hashed: 1, lost: 1 });
    await block([three], new Keyring(FIRST));
    await block([four], new Keyring(SECOND));
    assert.deepEqual(await rehash(FOURTH, SECOND), { hashed: 2, lost: 2 });
  });

  test('a row that somebody altered keeps no other from a new secret', async () => {
    await block([NUMBER, '+4915112345679']);
    await query(
      rig.store,
      `UPDATE blocked_number SET number_sealed = number_sealed || 'A'
        WHERE id = (SELECT min(id) FROM blocked_number WHERE account_id = $1)`,
      rig.accountId,
    );
    const deps = { records: rig.store, keyring: new Keyring(SECOND, FIRST) };
    assert.deepEqual(await rehashNumbers(deps), { hashed: 1, lost: 1 });
    assert.deepEqual(await rehashNumbers(deps), { hashed: 0, lost: 1 });
  });
}
