/** What fires and what is over: whom it is told to, and who sees it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFiring, readFiring, readOver } from '../../../../../src/accounts/alerts/alerts.ts';
import { placeAlertWebhook, subscribe } from '../../../../../src/accounts/alerts/channels.ts';
import { readTimePlace } from '../../../../../src/accounts/list-place.ts';
import { query } from '../../../../../src/core/sql/records.ts';
import { DAY, HOUR, MINUTE } from '../../rig.ts';
import { type AlertRig, NOW, URL } from './rig.ts';

export function describeFiring(rig: AlertRig): void {
  const { addMember, by, finding, keyring, newNode, notices } = rig;
  const overAt = async (now: number) => (await readOver(rig.store, rig.acme, undefined, now)).alerts;

  test('what fires is told once to each place, and its end too', async () => {
    const { store, acme, other } = rig;
    const [ada, dev, viewer] = [
      await addMember(acme, 'owner'),
      await addMember(acme, 'developer'),
      await addMember(acme, 'viewer'),
    ];
    for (const personId of [ada, dev, viewer]) await subscribe(store, { ...by(), personId });
    await subscribe(store, { ...by(other), personId: await addMember(other, 'owner') });
    await placeAlertWebhook({ records: store, keyring, privateNetworks: [] }, by(), URL);
    const node = newNode();
    for (let minute = 0; minute < 5; minute++) await node.look(NOW + minute * MINUTE, [finding()]);
    const told = (kind: string) =>
      [
        ` email ops@example.com ${kind}`,
        ` webhook  ${kind}`,
        ...[dev, ada].sort().map((id) => `${acme} email ${id} ${kind}`),
        `${acme} webhook  ${kind}`,
      ].sort();
    assert.deepEqual((await notices()).sort(), told('firing'));
    const [alert] = await readFiring(store, acme);
    assert.deepEqual(
      [alert?.rule, alert?.subject, alert?.firingSince, alert?.overAt, alert?.told.length],
      ['guard-acting', 'range4 +4474', NOW, null, 5],
    );
    assert.equal(await countFiring(store, other), 0, 'not the alert of another account');
    await node.look(NOW + 6 * MINUTE, []);
    assert.deepEqual((await notices()).sort(), [...told('firing'), ...told('recovered')].sort());
    assert.equal(await countFiring(store, acme), 0);
    assert.equal((await overAt(NOW + HOUR))[0]?.overAt, NOW + 6 * MINUTE);
    assert.deepEqual(node.logged, ['alert fires', 'alert is over']);
    // The same again is another alert.
    await node.look(NOW + 7 * MINUTE, [finding()]);
    assert.equal((await readFiring(store, acme)).length, 1);
    assert.equal((await overAt(NOW + HOUR)).length, 1);
  });

  test('an alert of the installation is told to its own places, and shown to every account', async () => {
    const { store, acme, other } = rig;
    await subscribe(store, { ...by(), personId: await addMember(acme, 'owner') });
    await newNode().look(NOW, [
      finding({ accountId: null, rule: 'certificate-expires', subject: 'certificate' }),
    ]);
    assert.deepEqual(await notices(), [' email ops@example.com firing', ' webhook  firing']);
    assert.deepEqual([await countFiring(store, acme), await countFiring(store, other)], [1, 1]);
  });

  test('what the guard does where several accounts send is shown to those that it refused', async () => {
    const { store, acme, other } = rig;
    await newNode().look(NOW, [finding({ accountId: null, subject: 'range4 +4474' })]);
    assert.equal(await countFiring(store, acme), 0);
    await store.transact([
      {
        sql: `INSERT INTO guard_refusal (id, account_id, key_id, at, channel, country, masked, place, rule, detail, enforced)
          VALUES ('ref_1', $1, 'key_1', $2, 'sms', 'GB', '+44', 'range4 +4474', 'closed:range4', '', 1)`,
        args: [acme, NOW],
      },
    ]);
    assert.deepEqual([await countFiring(store, acme), await countFiring(store, other)], [1, 0]);
  });

  test('a rule that could not be looked at leaves its alerts as they are', async () => {
    const { store, acme } = rig;
    const node = newNode();
    await node.look(NOW, [finding()]);
    await node.look(NOW + MINUTE, new Error('the table is locked'));
    assert.equal(await countFiring(store, acme), 1);
    assert.equal(node.logged.at(-1), 'alerts not looked at');
  });

  test('what is over comes in pages, each alert once and the newest first', async () => {
    const { store, acme } = rig;
    const node = newNode();
    for (let hour = 0; hour < 45; hour++) {
      await node.look(NOW + hour * HOUR, [finding({ subject: `range4 +44${hour}` })]);
      await node.look(NOW + hour * HOUR + MINUTE, []);
    }
    const sizes: number[] = [];
    const seen: string[] = [];
    let next: string | null | undefined;
    while (next !== null) {
      const after = next === undefined ? undefined : readTimePlace(next);
      const page = await readOver(store, acme, after, NOW + 2 * DAY);
      sizes.push(page.alerts.length);
      seen.push(...page.alerts.map(({ subject }) => subject));
      next = page.next;
      // Whatever becomes of it before the next page is asked for.
      const last = page.alerts.at(-1)?.id ?? '';
      await query(store, 'DELETE FROM alert WHERE id = $1', last);
    }
    assert.deepEqual(sizes, [20, 20, 5]);
    assert.deepEqual(
      seen,
      Array.from({ length: 45 }, (_, n) => `range4 +44${44 - n}`),
    );
  });

  test('what is over is forgotten after ninety days', async () => {
    const node = newNode();
    await node.look(NOW, [finding()]);
    await node.look(NOW + MINUTE, []);
    assert.equal((await overAt(NOW + 89 * DAY)).length, 1);
    assert.equal((await overAt(NOW + 91 * DAY)).length, 0);
  });
}
