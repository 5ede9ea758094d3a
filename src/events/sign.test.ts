/** Our signatures, checked by the package of the standard. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { mintWebhookSecret } from '../core/events/endpoint.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { signWebhook } from './sign.ts';

suite('signatures of webhooks', () => {
  const [now, before, other] = [
    mintWebhookSecret(SYSTEM_RANDOM),
    mintWebhookSecret(SYSTEM_RANDOM),
    mintWebhookSecret(SYSTEM_RANDOM),
  ];
  const body = JSON.stringify({ type: 'verification.confirmed', data: { metadata: { name: 'Zoë 👋' } } });
  const message = { id: 'msg_1', seconds: Math.floor(Date.now() / 1_000), body };
  const headersOf = (secrets: readonly string[]) => ({
    'webhook-id': message.id,
    'webhook-timestamp': String(message.seconds),
    'webhook-signature': signWebhook(secrets, message),
  });

  test('are good under the secret, and under no other', () => {
    const headers = headersOf([now]);
    assert.deepEqual(new Webhook(now).verify(body, headers), JSON.parse(body));
    assert.throws(() => new Webhook(other).verify(body, headers));
    assert.throws(() => new Webhook(now).verify(`${body} `, headers));
    assert.throws(() => new Webhook(now).verify(body, { ...headers, 'webhook-id': 'msg_2' }));
  });

  test('are good under both secrets during a rotation', () => {
    const headers = headersOf([now, before]);
    assert.match(headers['webhook-signature'], /^v1,\S+ v1,\S+$/);
    for (const secret of [now, before]) assert.ok(new Webhook(secret).verify(body, headers));
  });

  test('come from secrets as the standard wants them', () => {
    assert.match(now, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(now, before);
  });
});
