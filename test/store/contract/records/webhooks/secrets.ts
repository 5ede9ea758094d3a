/** The secrets that endpoints check messages with: sealed, and rotated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWebhook } from '../../../../../src/accounts/webhooks/endpoints.ts';
import {
  resealWebhooks,
  revealWebhookSecret,
  rotateWebhookSecret,
} from '../../../../../src/accounts/webhooks/secrets.ts';
import { OVERLAP_MS, openWebhookSecret } from '../../../../../src/core/events/endpoint.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { query, type Records } from '../../../../../src/core/sql/records.ts';
import { NOW, SECRET, type WebhookRig } from './rig.ts';

const SECOND = 'second secret'.padEnd(32, '.');
const THIRD = 'third secret'.padEnd(32, '.');

export function describeSecrets(rig: WebhookRig): void {
  const { added, of, audited, keyring } = rig;

  test('sign with a new secret after a rotation, and for a day with the one before', async () => {
    const { store, acme } = rig;
    const { id, secret } = await added();
    const deps = { records: store, keyring };
    const next = await rotateWebhookSecret(deps, of(id));
    assert.match(next ?? '', /^whsec_/);
    assert.notEqual(next, secret);
    const until = NOW + OVERLAP_MS;
    assert.equal((await findWebhook(store, acme, id, until - 1))?.previousUntil, until);
    assert.equal((await findWebhook(store, acme, id, until))?.previousUntil, null);
    const [row] = await query(store, 'SELECT * FROM webhook WHERE id = $1', id);
    const openSealed = (text: unknown) => openWebhookSecret(keyring, id, String(text));
    assert.deepEqual(
      [openSealed(row?.previous_secret_sealed), openSealed(row?.secret_sealed)],
      [secret, next],
    );
    assert.deepEqual(await revealWebhookSecret(deps, of(id)), { kind: 'revealed', secret: next });
    assert.deepEqual(
      (await audited(acme)).map(([, action]) => action),
      ['webhook.added', 'webhook.secret-rotated', 'webhook.secret-revealed'],
    );
    assert.ok(!JSON.stringify(await audited(acme)).includes('whsec_'));
  });

  test('have a secret that is sealed for one endpoint: in the row of another it is lost', async () => {
    const { store, other } = rig;
    const [one, copy] = [await added(), await added({}, other)];
    const sealed = '(SELECT secret_sealed FROM webhook WHERE id = $2)';
    await query(store, `UPDATE webhook SET secret_sealed = ${sealed} WHERE id = $1`, copy.id, one.id);
    const deps = { records: store, keyring };
    assert.deepEqual(await revealWebhookSecret(deps, of(copy.id, other)), { kind: 'lost' });
    assert.deepEqual(await revealWebhookSecret(deps, of(one.id)), { kind: 'revealed', secret: one.secret });
  });

  test('keep their secrets when that of the service rotates', async () => {
    const { store } = rig;
    const { id, secret } = await added();
    const next = await rotateWebhookSecret({ records: store, keyring }, of(id));
    const rotated = new Keyring(SECOND, SECRET);
    assert.deepEqual(await resealWebhooks(store, rotated), { sealed: 2, lost: 0 });
    assert.deepEqual(await resealWebhooks(store, rotated), { sealed: 0, lost: 0 });
    const only = new Keyring(SECOND);
    assert.deepEqual(await revealWebhookSecret({ records: store, keyring: only }, of(id)), {
      kind: 'revealed',
      secret: next,
    });
    const [row] = await query(store, 'SELECT previous_secret_sealed AS sealed FROM webhook');
    assert.equal(openWebhookSecret(only, id, String(row?.sealed)), secret);
    const third = new Keyring(THIRD);
    assert.deepEqual(await resealWebhooks(store, third), { sealed: 0, lost: 2 });
    assert.deepEqual(await revealWebhookSecret({ records: store, keyring: third }, of(id)), {
      kind: 'lost',
    });
  });

  test('keep their secrets though somebody altered that of another', async () => {
    const { store } = rig;
    const [altered, intact] = [await added(), await added()];
    await query(store, "UPDATE webhook SET secret_sealed = secret_sealed || 'A' WHERE id = $1", altered.id);
    assert.deepEqual(await resealWebhooks(store, new Keyring(SECOND, SECRET)), { sealed: 1, lost: 1 });
    const deps = { records: store, keyring: new Keyring(SECOND) };
    assert.deepEqual(await revealWebhookSecret(deps, of(intact.id)), {
      kind: 'revealed',
      secret: intact.secret,
    });
  });

  test('keep the secret that a rotation gives them while they are sealed again', async () => {
    const { store } = rig;
    const { id } = await added();
    const rotated = new Keyring(SECOND, SECRET);
    let next: string | undefined;
    // Between the look and the write.
    const overtaken: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        next ??= await rotateWebhookSecret({ records: store, keyring: rotated }, of(id));
        return answer;
      },
      random: store.random,
      keysRevision: () => store.keysRevision(),
    };
    await resealWebhooks(overtaken, rotated);
    const revealed = await revealWebhookSecret({ records: store, keyring: rotated }, of(id));
    assert.deepEqual(revealed, { kind: 'revealed', secret: next });
  });
}
