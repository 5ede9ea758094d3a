/** What becomes of the list when a country changes its numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listBlockedNumbers,
  rehashNumbers,
  unblockNumber,
} from '../../../../../src/accounts/blocking/blocked-numbers.ts';
import { readNumbers } from '../../../../../src/accounts/blocking/carry-over.ts';
import { mintListId } from '../../../../../src/accounts/token.ts';
import { COMMAND_LINE } from '../../../../../src/core/accounts/actor.ts';
import { sealField } from '../../../../../src/core/secrets/sealed-field.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import type { BlockedRig } from './rig.ts';

const BEFORE = '+22997123456';
const TODAY = '+2290197123456';

export function describeRenumberedList(rig: BlockedRig): void {
  const { now, keyring, verificationOf, kindOf, block } = rig;
  const deps = () => ({ records: rig.store, keyring });
  const askToday = () => kindOf(verificationOf({}, { number: TODAY }));
  const inClear = async () => {
    const found: string[] = [];
    for await (const { numbers } of readNumbers(deps(), rig.accountId))
      found.push(...numbers.map(({ address }) => address));
    return found;
  };

  /** As a version wrote it that knew only the number of before. */
  async function listAsBefore(plans = 'unknown'): Promise<void> {
    const id = mintListId('blk', now, rig.store.random);
    await query(
      rig.store,
      `INSERT INTO blocked_number (id, account_id, hash, number_sealed, secret_id, source, created_at, plans)
        VALUES ($1, $2, $3, $4, $5, 'recipient', $6, $7) RETURNING id`,
      ...[id, rig.accountId, keyring.destinationHash(rig.accountId, false, BEFORE).current],
      ...[sealField(keyring, BEFORE, id, 'destination'), keyring.secretId, now, plans],
    );
  }

  test('a number follows its country: who said STOP by the number of before gets nothing by the one of today', async () => {
    await listAsBefore();
    await block(['+4915112345678']);
    assert.deepEqual(await rehashNumbers(deps()), { hashed: 1, lost: 0 });
    assert.equal(await askToday(), 'blocked');
    assert.equal(await kindOf(verificationOf()), 'blocked');
    assert.deepEqual(await inClear(), [TODAY, '+4915112345678']);
    assert.deepEqual(await rehashNumbers(deps()), { hashed: 0, lost: 0 });
  });

  test('what earlier numbering plans hashed to the same is noted, and stays', async () => {
    await block();
    await query(
      rig.store,
      'UPDATE blocked_number SET plans = $1 WHERE account_id = $2 RETURNING id',
      '1.0.0 before',
      rig.accountId,
    );
    assert.deepEqual(await rehashNumbers(deps()), { hashed: 1, lost: 0 });
    assert.equal(await kindOf(verificationOf()), 'blocked');
    assert.deepEqual(await rehashNumbers(deps()), { hashed: 0, lost: 0 });
  });

  test('a number that is listed as it was and as it is becomes one row', async () => {
    await listAsBefore('1.0.0 before');
    await block([TODAY]);
    assert.deepEqual(await rehashNumbers(deps()), { hashed: 1, lost: 0 });
    assert.deepEqual(await inClear(), [TODAY]);
    assert.equal(await askToday(), 'blocked');
  });

  test('a number of before is put on the list, and taken off, as the one of today', async () => {
    assert.equal(await block([BEFORE]), 1);
    assert.equal(await block([TODAY]), 0);
    const { numbers } = await listBlockedNumbers(deps(), rig.accountId);
    assert.deepEqual(
      numbers.map(({ number }) => number),
      ['+229••••••••56'],
    );
    assert.equal(await askToday(), 'blocked');
    assert.equal(await unblockNumber(deps(), rig.accountId, BEFORE, COMMAND_LINE, now), true);
    assert.equal(await askToday(), 'issued');
  });
}
