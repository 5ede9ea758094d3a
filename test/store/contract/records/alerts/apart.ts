/** What is one account’s, one member’s or one rule’s says nothing of another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFiring, readLastNotice } from '../../../../../src/accounts/alerts/alerts.ts';
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
import { query } from '../../../../../src/core/sql/records.ts';
import { MINUTE } from '../../rig.ts';
import { type AlertRig, NOW, OWN, URL } from './rig.ts';

export function describeApart(rig: AlertRig): void {
  const { addMember, by, finding, keyring, newNode, notices } = rig;

  const join = (accountId: string, personId: string) =>
    query(
      rig.store,
      "INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, 'owner', 0) RETURNING role",
      accountId,
      personId,
    );
  const subscribersOf = async (accountId: string) =>
    (await readAlertChannels(rig.store, accountId)).subscribers.map(({ id }) => id).sort();

  test('a rule that could not be looked at holds up no other', async () => {
    const { store, acme } = rig;
    const node = newNode();
    const owner = (subject: string) => finding({ rule: 'owner-new', subject });
    const look = (
      minute: number,
      guard: Parameters<typeof node.look>[1],
      found: ReturnType<typeof owner>[],
    ) => node.look(NOW + minute * MINUTE, guard, { more: [[['owner-new'], async () => found]] });
    await look(0, [finding()], [owner('aud_1')]);
    await look(1, new Error('the table is locked'), [owner('aud_2')]);
    assert.deepEqual((await readFiring(store, acme)).map(({ subject }) => subject).sort(), [
      'aud_2',
      'range4 +4474',
    ]);
  });

  test('the places of the installation hear of accounts only if they are to', async () => {
    const { store, acme } = rig;
    await placeAlertWebhook({ records: store, keyring, privateNetworks: [] }, by(), URL);
    const all = finding({ accountId: null, rule: 'certificate-expires', subject: 'certificate' });
    await newNode().look(NOW, [finding(), all], { own: { ...OWN, accounts: false } });
    assert.deepEqual(await notices(), [
      ' email ops@example.com firing',
      ' webhook  firing',
      `${acme} webhook  firing`,
    ]);
  });

  test('a rule that is off fires nothing, is not looked at, and what it found is over', async () => {
    const { store, acme } = rig;
    const node = newNode();
    const looked: string[] = [];
    const owners = async () => {
      looked.push('owners');
      return [finding({ rule: 'owner-new' }), finding({ rule: 'factor-removed' })];
    };
    const more = [[['owner-new', 'factor-removed'], owners]] as const;
    const rulesFiring = async () => (await readFiring(store, acme)).map(({ rule }) => rule).sort();
    await node.look(NOW, [finding()], { more });
    assert.deepEqual(await rulesFiring(), ['factor-removed', 'guard-acting', 'owner-new']);
    await node.look(NOW + MINUTE, [finding()], { more, rules: { 'owner-new': false } });
    assert.deepEqual(await rulesFiring(), ['factor-removed', 'guard-acting']);
    const off = { 'owner-new': false, 'factor-removed': false, 'guard-acting': false };
    await node.look(NOW + 2 * MINUTE, [finding()], { more, rules: off });
    assert.deepEqual(await rulesFiring(), []);
    assert.equal(looked.length, 2);
  });

  test('who asks for mail, or for none any more, decides that for one person and one account', async () => {
    const { store, acme, other } = rig;
    const [ada, bob] = [await addMember(acme, 'owner'), await addMember(acme, 'developer')];
    await join(other, ada);
    for (const personId of [ada, bob]) await subscribe(store, { ...by(), personId });
    assert.deepEqual(await subscribersOf(other), []);
    await subscribe(store, { ...by(other), personId: ada });
    await unsubscribe(store, { ...by(), personId: ada });
    assert.deepEqual([await subscribersOf(acme), await subscribersOf(other)], [[bob], [ada]]);
  });

  test('who left an account gets no mail of it as the owner of another', async () => {
    const { store, acme, other } = rig;
    const ada = await addMember(acme, 'owner');
    await join(other, ada);
    await subscribe(store, { ...by(), personId: ada });
    await query(store, 'DELETE FROM member WHERE account_id = $1 RETURNING role', acme);
    assert.deepEqual(await subscribersOf(acme), []);
    await newNode().look(NOW, [finding()], { own: { ...OWN, accounts: false } });
    assert.deepEqual(await notices(), []);
  });

  test('a webhook that is removed is that of one account', async () => {
    const { store, other } = rig;
    const deps = { records: store, keyring, privateNetworks: [] };
    for (const change of [by(), by(other)]) await placeAlertWebhook(deps, change, URL);
    assert.ok(await removeAlertWebhook(store, by()));
    assert.equal((await openAlertWebhook(store, keyring, other))?.url, URL);
  });

  test('a webhook that somebody altered keeps no other from a new secret', async () => {
    const { store, acme, other } = rig;
    const deps = { records: store, keyring, privateNetworks: [] };
    for (const change of [by(), by(other)]) await placeAlertWebhook(deps, change, URL);
    await query(store, "UPDATE alert_webhook SET sealed = sealed || 'A' WHERE account_id = $1", acme);
    const [first, second] = ['first', 'second'].map((name) => `${name} secret`.padEnd(32, '.'));
    const rotated = new Keyring(second ?? '', first);
    assert.deepEqual(await resealAlertWebhooks(store, rotated), { sealed: 1, lost: 1 });
    assert.equal((await openAlertWebhook(store, new Keyring(second ?? ''), other))?.url, URL);
  });

  test('what was last sent is shown of one place', async () => {
    const { store, acme, other } = rig;
    const told = (id: string, account: string, channel: string, target: string, at: number) =>
      query(
        store,
        `INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts, last_try_at, sent_at)
          VALUES ($1, '', $2, $3, $4, 'test', CAST($5 AS BIGINT), '{}', CAST($5 AS BIGINT), CAST($5 AS BIGINT))
          RETURNING id`,
        ...[id, account, channel, target, at],
      );
    await told('aln_1', acme, 'email', 'per_a', NOW + 1);
    await told('aln_2', acme, 'email', 'per_a', NOW + 2);
    await told('aln_3', acme, 'email', 'per_b', NOW + 3);
    await told('aln_4', other, 'email', 'per_a', NOW + 4);
    await told('aln_5', other, 'webhook', '', NOW + 5);
    assert.equal((await readLastNotice(store, acme, 'email', 'per_a'))?.sentAt, NOW + 2);
    assert.equal(await readLastNotice(store, acme, 'webhook', ''), null);
  });

  test('of each of many alerts it is shown whom it was told to', async () => {
    const { store, acme } = rig;
    const many = Array.from({ length: 120 }, (_, n) => finding({ subject: `range4 +${n}` }));
    await newNode().look(NOW, many);
    const firing = await readFiring(store, acme);
    assert.equal(firing.length, 120);
    assert.ok(firing.every(({ told }) => told.length === 2));
  });
}
