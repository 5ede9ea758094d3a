/** What accounts decide about their alerts: silence, rules, and whom they are told to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFiring } from '../../../../../src/accounts/alerts/alerts.ts';
import {
  openAlertWebhook,
  placeAlertWebhook,
  readAlertChannels,
  removeAlertWebhook,
  resealAlertWebhooks,
  subscribe,
  unsubscribe,
} from '../../../../../src/accounts/alerts/channels.ts';
import { changeRule, readAllRuleWishes, readRuleWishes } from '../../../../../src/accounts/alerts/rules.ts';
import {
  addSilence,
  liftSilence,
  readSilences,
  type SilenceWish,
} from '../../../../../src/accounts/alerts/silences.ts';
import { readAuditLog } from '../../../../../src/accounts/audit.ts';
import { query, type Records } from '../../../../../src/core/accounts/records.ts';
import { inForce } from '../../../../../src/core/alerts/rule.ts';
import { MAX_SILENCES } from '../../../../../src/core/alerts/silence.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { DAY, HOUR, MINUTE } from '../../rig.ts';
import { type AlertRig, NOW, URL } from './rig.ts';

export function describeDecisions(rig: AlertRig): void {
  const { addMember, by, finding, keyring, newNode, notices } = rig;

  test('who asked for silence is told nothing until it ends, and the audit log says who and why', async () => {
    const { store, acme, other } = rig;
    const until = NOW + HOUR;
    const wish = { rule: null, subject: null, endsAt: until, reason: 'maintenance' };
    const added = await addSilence(store, by(), wish);
    assert.ok(added.kind === 'added');
    const node = newNode();
    await node.look(NOW, [finding(), finding({ accountId: other })]);
    assert.equal((await notices()).length, 2, 'of the other account alone');
    assert.equal(await countFiring(store, acme), 1);
    const [silence] = await readSilences(store, NOW, acme);
    assert.deepEqual([silence?.madeBy, silence?.reason, silence?.endsAt], ['Ada', 'maintenance', until]);
    assert.equal(
      await liftSilence(store, { ...by(), accountId: other }, added.id),
      false,
      'not by another account',
    );
    assert.equal((await readSilences(store, NOW, acme)).length, 1);
    assert.ok(await liftSilence(store, by(), added.id));
    assert.equal(await liftSilence(store, by(), added.id), false);
    await node.look(NOW + MINUTE, [finding(), finding({ accountId: other })]);
    assert.equal((await notices()).length, 4);
    const actions = (await readAuditLog(store, acme)).entries.map(
      ({ action, detail }) => `${action} ${detail}`,
    );
    assert.ok(actions.includes(`alerts.silenced until ${new Date(until).toISOString()}: maintenance`));
    for (const endsAt of [NOW, NOW - 1, NOW + 31 * DAY]) {
      assert.equal((await addSilence(store, by(), { ...wish, endsAt })).kind, 'wrong');
    }
    const many = await Promise.all(Array.from({ length: 120 }, () => addSilence(store, by(), wish)));
    assert.equal(many.filter(({ kind }) => kind === 'added').length, MAX_SILENCES);
  });

  test('silence of the installation is not that of an account, and the log of each account has it', async () => {
    const { store, acme, other } = rig;
    const change = { ...by(), accountId: null };
    const wish: SilenceWish = {
      rule: 'guard-acting',
      subject: 'range4 +3361',
      endsAt: NOW + HOUR,
      reason: 'new contract',
    };
    const added = await addSilence(store, change, wish);
    assert.ok(added.kind === 'added');
    const found = [
      finding({ accountId: null, subject: 'range4 +3361' }),
      finding({ accountId: null, subject: 'range4 +4915' }),
      finding({ subject: 'range4 +3361' }),
    ];
    const node = newNode();
    await node.look(NOW, found);
    assert.equal((await notices()).length, 4, 'of the other place and of the account, in two places each');
    assert.deepEqual(await readSilences(store, NOW, acme), []);
    assert.deepEqual(
      (await readSilences(store, NOW, null)).map(({ id }) => id),
      [added.id],
    );
    assert.equal(await liftSilence(store, by(), added.id), false, 'it is not the account’s');
    assert.ok(await liftSilence(store, change, added.id));
    for (const accountId of [acme, other]) {
      const { entries } = await readAuditLog(store, accountId);
      const actions = entries.map(({ action, subject }) => `${action} ${subject}`);
      assert.ok(actions.includes('alerts.silenced the installation: guard-acting: range4 +3361'));
      assert.ok(actions.includes(`alerts.silence-lifted the installation: ${added.id}`));
    }
    // Silence about all that an account has says nothing of the installation.
    await addSilence(store, by(), { rule: null, subject: null, endsAt: NOW + HOUR, reason: 'ours' });
    await node.look(NOW + MINUTE, [...found, finding({ accountId: null, subject: 'range4 +1415' })]);
    assert.equal((await notices()).length, 8, 'of what was silenced, and of what is new');
    const many = await Promise.all(Array.from({ length: 120 }, () => addSilence(store, change, wish)));
    assert.equal(many.filter(({ kind }) => kind === 'added').length, MAX_SILENCES);
  });

  test('rules are changed for one account, side by side, and the default comes back', async () => {
    const { store, acme, other } = rig;
    const changes = [
      changeRule(store, by(), 'sign-ins-failed', { threshold: 5 }),
      changeRule(store, by(), 'owner-new', { on: false }),
      changeRule(store, by(other), 'spend-over', { threshold: 12.5 }),
    ];
    for (const { kind } of await Promise.all(changes)) assert.equal(kind, 'changed');
    assert.deepEqual(await readRuleWishes(store, acme), {
      'sign-ins-failed': { threshold: 5 },
      'owner-new': { on: false },
    });
    assert.deepEqual((await readAllRuleWishes(store)).get(other), { 'spend-over': { threshold: 12.5 } });
    assert.equal((await changeRule(store, by(), 'sign-ins-failed', { threshold: 2 })).kind, 'wrong');
    assert.equal((await changeRule(store, by(), 'carrier-down', { on: false })).kind, 'unknown');
    await changeRule(store, by(), 'owner-new', {});
    assert.equal(inForce('owner-new', await readRuleWishes(store, acme)).on, true);
    const { entries } = await readAuditLog(store, acme);
    assert.deepEqual(
      entries
        .filter(({ action }) => action === 'alerts.rule-changed')
        .map(({ detail }) => detail)
        .sort(),
      ['default', 'off', 'threshold: 5'],
    );
  });

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
