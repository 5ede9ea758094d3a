/** Whom messengers call by a name of their own: what is known of them, and how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findMessengerUser,
  noteMessengerUser,
} from '../../../../../src/accounts/blocking/messenger-users.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { sealField } from '../../../../../src/core/secrets/sealed-field.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { sweep } from '../../../../../src/portal/sweep.ts';
import { DAY, issueOne, newVerification, SUBMITTED, settlement, unique } from '../../rig.ts';
import { type BlockedRig, FIRST, SECOND } from './rig.ts';

export function describeMessengerUsers(rig: BlockedRig): void {
  const { now, keyring } = rig;
  const deps = (ring = keyring) => ({ records: rig.store, keyring: ring });
  const carrier = 'meta';

  /** A code that the carrier took for a number, and its reference. */
  async function send(number: string, createdAt = now) {
    const { id } = newVerification({ createdAt });
    const destinationSealed = sealField(keyring, number, id, 'destination');
    const v = await issueOne(rig.store, { id, accountId: rig.accountId, createdAt, destinationSealed });
    const reference = unique('r');
    const attempt = {
      carrier,
      reference,
      recipientTag: keyring.recipientTags(number)[0],
      endedAt: createdAt,
    };
    await rig.store.settle(settlement(v, SUBMITTED, [{ ...attempt, outcome: 'accepted' }]));
    return { v, reference };
  }
  const note = (user: string, reference: string) =>
    noteMessengerUser(deps(), { carrier, references: [reference], status: 'delivered', user }, now);
  const find = (user: string, ring = keyring) => findMessengerUser(deps(ring), user);
  const rows = async () =>
    (await query(rig.store, 'SELECT user_tag, verification_id FROM messenger_user')).map(
      ({ user_tag }) => user_tag,
    );

  test('who was reported by a messenger’s name is found by it, at the number of their latest code', async () => {
    const [user, stranger] = [unique('whatsapp:GB.'), unique('whatsapp:GB.')];
    const [older, newer] = [await send('+4915112345671', now - DAY), await send('+4915112345672')];
    assert.equal(await find(user), undefined);
    await note(user, 'of no message');
    assert.equal(await find(user), undefined);
    await note(user, older.reference);
    assert.equal(await find(user), '+4915112345671');
    await note(user, newer.reference);
    await note(user, older.reference);
    assert.equal(await find(user), '+4915112345672', 'a late report of an older code changes nothing');
    assert.equal(await find(stranger), undefined);
    assert.equal(await find(user, new Keyring(SECOND, FIRST)), '+4915112345672', 'while a secret is rotated');
    assert.equal(await find(user, new Keyring(SECOND)), undefined);
    assert.ok(
      (await rows()).every((tag) => !String(tag).includes('GB.')),
      'kept as a keyed hash',
    );
  });

  test('what is known of a messenger’s user goes with the verification', async () => {
    const users = [unique('whatsapp:GB.'), unique('whatsapp:GB.')] as const;
    const [erased, old] = [await send('+4915112345671'), await send('+4915112345672', now - 2 * DAY)];
    await note(users[0], erased.reference);
    await note(users[1], old.reference);
    const tags = users.map((user) => keyring.recipientTags(user)[0]);
    const left = async () => (await rows()).filter((tag) => tags.includes(String(tag))).length;
    assert.equal(await left(), 2);
    const { id, destinationHash } = erased.v;
    await rig.store.transact([
      { erase: { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now } },
    ]);
    assert.equal(await find(users[0]), undefined);
    assert.equal(await left(), 1);
    await sweep(rig.store, { verifications: DAY, statistics: 400 * DAY }, now);
    assert.equal(await left(), 0);
  });
}
