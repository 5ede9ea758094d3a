/** The first steps of an account are ticked by what the store has, on each store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccountKeys } from '../../../src/accounts/account-keys.ts';
import {
  placeAlertWebhook,
  removeAlertWebhook,
  subscribe,
  unsubscribe,
} from '../../../src/accounts/alerts/channels.ts';
import { invite } from '../../../src/accounts/invitations.ts';
import { createKeys } from '../../../src/accounts/keys.ts';
import { addMember } from '../../../src/accounts/members.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { COMMAND_LINE } from '../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../src/core/accounts/api-key-format.ts';
import type { Channel } from '../../../src/core/destination/channel.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { query } from '../../../src/core/sql/records.ts';
import type { Start } from '../../../src/portal/start/contract.ts';
import { createStart, type StartDeps } from '../../../src/portal/start/start.ts';
import type { Store } from '../../../src/store/port.ts';
import { issueOne, SUBMITTED, settlement } from '../../store/contract/rig.ts';
import { NOW, overEachStore } from './stores.ts';

const CARRIERS = [
  { name: 'simulator', type: 'simulator' },
  { name: 'smsc', type: 'smpp' },
];

const STEPS = ['key', 'code', 'sent', 'alerts', 'colleague', 'second_factor'] as const;
const ONLY_MAIL: StartDeps['alerts'] = { hasMail: true, ownPlacesForAccounts: 0 };

/** What is done, without what was remembered before. */
async function doneIn(
  store: Store,
  accountId: string,
  personId: string,
  alerts = ONLY_MAIL,
): Promise<(keyof Start)[]> {
  const read = createStart({
    ...{ clock: SYSTEM_CLOCK, tallies: store, records: store, carriers: () => CARRIERS, alerts },
  });
  const steps = await read(accountId, personId);
  return STEPS.filter((step) => steps[step]);
}

async function send(
  store: Store,
  accountId: string,
  carrier: string,
  isTest: boolean,
  channel: Channel = 'sms',
): Promise<void> {
  const sent = await issueOne(store, { accountId, channel, test: isTest, createdAt: Date.now() });
  const id = mintId('ref', SYSTEM_RANDOM);
  await store.settle(settlement(sent, SUBMITTED, [{ carrier, reference: id }]));
}

overEachStore('first steps', (portal) => {
  test('a channel is live while a live key in use may ask for it', async () => {
    const { account, store } = portal();
    const [accountId, other] = [await account(), await account()];
    const read = createStart({
      ...{ clock: SYSTEM_CLOCK, tallies: store, records: store, carriers: () => CARRIERS, alerts: ONLY_MAIL },
    });
    const live = async (of = accountId) => {
      const { isLive } = await read(of, 'per_1');
      return (['sms', 'voice', 'whatsapp'] as const).filter(isLive);
    };
    const add = async (test: boolean, channels: Channel[], expiresAt: number | null = null) => {
      const { key: _, ...minted } = mintKey(SYSTEM_RANDOM, test);
      const bounds = {
        restrictions: { channels, countries: [], sources: [] },
        expiresAt,
        customCodes: false,
      };
      const key = { ...minted, ...bounds, name: 'Shop', test, createdAt: Date.now() };
      await createAccountKeys(store, 'owner').add(accountId, key, COMMAND_LINE);
    };
    await add(true, []);
    await add(false, [], Date.now() - 1);
    assert.deepEqual(await live(), [], 'neither test keys nor what has expired');
    await add(false, ['voice']);
    assert.deepEqual(await live(), ['voice']);
    await add(false, []);
    assert.deepEqual(await live(), ['sms', 'voice', 'whatsapp']);
    assert.deepEqual(await live(other), []);
  });

  test('each is done once it is there, and for nobody else', async () => {
    const { account, person, store } = portal();
    const [accountId, other, owner] = [await account(), await account(), await person()];
    await store.transact([addMember(accountId, owner, 'owner', NOW), addMember(other, owner, 'owner', NOW)]);
    const done = () => doneIn(store, accountId, owner);
    assert.deepEqual(await done(), []);

    const { key: _, ...minted } = mintKey(SYSTEM_RANDOM, true);
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

  test('live messages to the simulator are told by their channels, and so is that there were none', async () => {
    const { account, person, store } = portal();
    const [accountId, owner] = [await account(), await person()];
    const read = async () => {
      const deps = {
        ...{
          clock: SYSTEM_CLOCK,
          tallies: store,
          records: store,
          carriers: () => CARRIERS,
          alerts: ONLY_MAIL,
        },
      };
      return (await createStart(deps)(accountId, owner)).simulated;
    };
    await send(store, accountId, 'simulator', true, 'voice');
    await send(store, accountId, 'smsc', false);
    assert.deepEqual(await read(), []);
    await send(store, accountId, 'simulator', false, 'voice');
    await send(store, accountId, 'simulator', false, 'voice');
    assert.deepEqual(await read(), ['voice']);
  });

  test('what one account sent is asked for that account', async () => {
    const { account, person, store } = portal();
    const [accountId, other, owner] = [await account(), await account(), await person()];
    await send(store, accountId, 'smsc', false);
    const deps = {
      ...{ clock: SYSTEM_CLOCK, tallies: store, records: store, carriers: () => CARRIERS, alerts: ONLY_MAIL },
    };
    const read = createStart(deps);
    const sent = await Promise.all([accountId, other].map((id) => read(id, owner)));
    assert.deepEqual(
      sent.map((steps) => steps.sent),
      [true, false],
    );
  });

  test('somebody is told of alerts: a member by mail, a webhook, or places of the installation', async () => {
    const { account, person, store } = portal();
    const [accountId, other, owner, guest] = [
      await account(),
      await account(),
      await person(),
      await person(),
    ];
    await store.transact([
      addMember(accountId, owner, 'owner', NOW),
      addMember(accountId, guest, 'viewer', NOW),
    ]);
    const change = { accountId, by: COMMAND_LINE, now: NOW };
    const isTold = async (id = accountId, alerts = ONLY_MAIL) =>
      (await doneIn(store, id, owner, alerts)).includes('alerts');
    assert.equal(await isTold(), false);

    await subscribe(store, { ...change, personId: guest });
    assert.equal(await isTold(), false, 'viewers get no mail');
    await subscribe(store, { ...change, personId: owner });
    assert.deepEqual([await isTold(), await isTold(other)], [true, false]);
    assert.equal(await isTold(accountId, { ...ONLY_MAIL, hasMail: false }), false, 'no server to mail with');
    await unsubscribe(store, { ...change, personId: owner });
    assert.equal(await isTold(), false);

    const deps = { records: store, keyring: new Keyring('a secret'.padEnd(32, '.')), privateNetworks: [] };
    const placed = await placeAlertWebhook(deps, change, 'https://chat.example.com/hook');
    assert.equal(placed.kind, 'placed');
    assert.deepEqual([await isTold(), await isTold(other)], [true, false]);
    await removeAlertWebhook(store, change);
    assert.equal(await isTold(), false);

    assert.equal(await isTold(accountId, { hasMail: false, ownPlacesForAccounts: 1 }), true);
  });

  test('a key that is revoked and a factor that was not finished do not count', async () => {
    const { account, person, store } = portal();
    const [accountId, owner] = [await account(), await person()];
    const { key: _, ...minted } = mintKey(SYSTEM_RANDOM, true);
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
