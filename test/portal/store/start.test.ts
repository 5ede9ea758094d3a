/** The first steps of an account are ticked by what the store has, on each store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite } from '../../../src/accounts/invitations.ts';
import { createKeys } from '../../../src/accounts/keys.ts';
import { addMember } from '../../../src/accounts/members.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { COMMAND_LINE } from '../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../src/core/accounts/api-key-format.ts';
import { query } from '../../../src/core/accounts/records.ts';
import type { Start } from '../../../src/portal/start/contract.ts';
import { createStart } from '../../../src/portal/start/start.ts';
import type { Store } from '../../../src/store/port.ts';
import { issueOne, SUBMITTED, settlement } from '../../store/contract/rig.ts';
import { NOW, overEachStore } from './stores.ts';

const CARRIERS = [
  { name: 'simulator', type: 'simulator' },
  { name: 'smsc', type: 'smpp' },
];

/** What is done, without what was remembered before. */
async function doneIn(store: Store, accountId: string, personId: string): Promise<(keyof Start)[]> {
  const read = createStart({ tallies: store, records: store, carriers: () => CARRIERS });
  const { key, code, sent, colleague, second_factor } = await read(accountId, personId);
  const steps = { key, code, sent, colleague, second_factor };
  return (['key', 'code', 'sent', 'colleague', 'second_factor'] as const).filter((step) => steps[step]);
}

async function send(store: Store, accountId: string, carrier: string, isTest: boolean): Promise<void> {
  const sent = await issueOne(store, { accountId, test: isTest, createdAt: Date.now() });
  const id = mintId('ref');
  await store.settle(settlement(sent, SUBMITTED, [{ carrier, reference: id }]));
}

overEachStore('first steps', (portal) => {
  test('each is done once it is there, and for nobody else', async () => {
    const { account, person, store } = portal();
    const [accountId, other, owner] = [await account(), await account(), await person()];
    await store.transact([addMember(accountId, owner, 'owner', NOW), addMember(other, owner, 'owner', NOW)]);
    const done = () => doneIn(store, accountId, owner);
    assert.deepEqual(await done(), []);

    const { key: _, ...minted } = mintKey(true);
    const key = { ...minted, name: 'Try', test: true, createdAt: NOW };
    const [row] = await query(store, 'SELECT name FROM account WHERE id = $1', accountId);
    await createKeys(store).createKey(String(row?.name), key, COMMAND_LINE);
    assert.deepEqual(await done(), ['key']);

    await send(store, accountId, 'simulator', true);
    assert.deepEqual(await done(), ['key', 'code']);

    await send(store, accountId, 'simulator', false);
    assert.deepEqual(await done(), ['key', 'code'], 'the simulator reaches no telephone');
    await send(store, accountId, 'smsc', false);
    assert.deepEqual(await done(), ['key', 'code', 'sent']);

    const wanted = { accountId, email: 'ines@example.com', role: 'viewer' } as const;
    await invite(store, wanted, COMMAND_LINE, Date.now());
    assert.deepEqual(await done(), ['key', 'code', 'sent', 'colleague']);

    await query(
      store,
      `INSERT INTO totp (person_id, sealed, last_step, confirmed_at) VALUES ($1, 'x', 0, $2) RETURNING person_id`,
      owner,
      NOW,
    );
    assert.deepEqual(await done(), ['key', 'code', 'sent', 'colleague', 'second_factor']);
    assert.deepEqual(await doneIn(store, other, await person()), []);
  });

  test('a key that is revoked and a factor that was not finished do not count', async () => {
    const { account, person, store } = portal();
    const [accountId, owner] = [await account(), await person()];
    const { key: _, ...minted } = mintKey(true);
    const key = { ...minted, name: 'Try', test: true, createdAt: NOW };
    const [row] = await query(store, 'SELECT name FROM account WHERE id = $1', accountId);
    await createKeys(store).createKey(String(row?.name), key, COMMAND_LINE);
    await query(store, 'UPDATE api_key SET revoked_at = $2 WHERE id = $1 RETURNING id', minted.id, NOW);
    await query(
      store,
      `INSERT INTO totp (person_id, sealed, last_step) VALUES ($1, 'x', 0) RETURNING person_id`,
      owner,
    );
    assert.deepEqual(await doneIn(store, accountId, owner), []);
  });
});
