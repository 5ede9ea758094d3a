/** What accounts decide about their alerts: whom they are told to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openAlertWebhook,
  placeAlertWebhook,
  readAlertChannels,
  removeAlertWebhook,
  resealAlertWebhooks,
  subscribe,
  unsubscribe,
} from '../../../../../src/accounts/alerts/channels.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { query, type Records } from '../../../../../src/core/sql/records.ts';
import { type AlertRig, NOW, URL } from './rig.ts';

export function describeDecisions(rig: AlertRig): void {
  const { addMember, by, keyring } = rig;

  test('the webhook is sealed, shown by its host alone, replaced and removed', async () => {
    const { store, acme, other } = rig;
    const deps = { records: store, keyring, privateNetworks: [] };
    assert.equal((await placeAlertWebhook(deps, by(), 'https://10.0.0.1/')).kind, 'wrong');
    const placed = await placeAlertWebhook(deps, by(), URL);
    assert.ok(placed.kind === 'placed');
    assert.deepEqual(await openAlertWebhook(store, keyring, acme), { url: URL, secret: placed.secret });
    assert.equal(await openAlertWebhook(store, keyring, other), undefined);
    const { webhook } = await readAlertChannels(store, acme);
    assert.deepEqual(webhook, { host: 'hooks.example.com', addedBy: 'Ada', addedAt: NOW });
    const kept = JSON.stringify([
      await query(store, 'SELECT * FROM alert_webhook'),
      await query(store, 'SELECT * FROM audit_entry'),
    ]);
    assert.ok(!kept.includes('precious') && !kept.includes(placed.secret));
    const rotated = new Keyring('second secret'.padEnd(32, '.'), 'first secret'.padEnd(32, '.'));
    assert.deepEqual(await resealAlertWebhooks(store, rotated), { sealed: 1, lost: 0 });
    const alone = new Keyring('second secret'.padEnd(32, '.'));
    assert.equal((await openAlertWebhook(store, alone, acme))?.url, URL);
    assert.deepEqual(await resealAlertWebhooks(store, new Keyring('third secret'.padEnd(32, '.'))), {
      sealed: 0,
      lost: 1,
    });
    assert.ok(await removeAlertWebhook(store, by()));
    assert.equal(await removeAlertWebhook(store, by()), false);
  });

  test('the webhook of one account does not open in the row of another', async () => {
    const { store, acme, other } = rig;
    const deps = { records: store, keyring, privateNetworks: [] };
    for (const accountId of [acme, other]) await placeAlertWebhook(deps, { ...by(), accountId }, URL);
    const swap = `UPDATE alert_webhook SET sealed = (SELECT sealed FROM alert_webhook WHERE account_id = $1)
      WHERE account_id = $2`;
    await query(store, swap, acme, other);
    assert.equal(await openAlertWebhook(store, keyring, other), undefined);
    assert.equal((await openAlertWebhook(store, keyring, acme))?.url, URL);
  });

  test('the webhook stays the one that replaces it while it is sealed again', async () => {
    const { store, acme } = rig;
    await placeAlertWebhook({ records: store, keyring, privateNetworks: [] }, by(), URL);
    const rotated = new Keyring('second secret'.padEnd(32, '.'), 'first secret'.padEnd(32, '.'));
    const next = 'https://hooks.example.net/next';
    let isPlaced = false;
    // Between the look and the write.
    const overtaken: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        if (!isPlaced) {
          isPlaced = true;
          await placeAlertWebhook({ records: store, keyring: rotated, privateNetworks: [] }, by(), next);
        }
        return answer;
      },
      random: store.random,
      keysRevision: () => store.keysRevision(),
    };
    await resealAlertWebhooks(overtaken, rotated);
    assert.equal((await openAlertWebhook(store, rotated, acme))?.url, next);
  });

  test('mail is for members who asked for it, while they may have it', async () => {
    const { store, acme } = rig;
    const personId = await addMember(acme, 'developer');
    await subscribe(store, { ...by(), personId });
    await subscribe(store, { ...by(), personId });
    const ids = async () => (await readAlertChannels(store, acme)).subscribers.map(({ id }) => id);
    assert.deepEqual(await ids(), [personId]);
    await query(store, "UPDATE member SET role = 'viewer' WHERE person_id = $1", personId);
    assert.deepEqual(await ids(), []);
    await query(store, "UPDATE member SET role = 'owner' WHERE person_id = $1", personId);
    assert.deepEqual(await ids(), [personId]);
    await unsubscribe(store, { ...by(), personId });
    assert.deepEqual(await ids(), []);
  });
}
