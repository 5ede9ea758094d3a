import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vonage } from '../../../src/carriers/vonage/type.ts';
import { assertVonageToken, unsignVonage, VONAGE_SAYS, vonageCallback, vonageWith } from '../broker-rigs.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { answer, reset, startGateway } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';
import { APPLICATION, optionsOf, privateKey, SIGNATURE_SECRET } from '../vonage/rig.ts';
import { AGENT, message, NUMBER, sentBy } from './brokers.ts';

const create = vonageWith((url) => ({
  rcs: { from: AGENT, applicationId: APPLICATION, privateKey, url, revokeUrl: url },
}));

carrierContract({
  name: 'vonage, RCS',
  create,
  message,
  asksForReceipts: true,
  secrets: [privateKey, SIGNATURE_SECRET],
  says: VONAGE_SAYS,
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.url, '/v1/messages');
    assertVonageToken(request.headers.authorization);
    assert.deepEqual(JSON.parse(request.body), {
      ...{ from: AGENT, to: destination.address.slice(1), channel: 'rcs', message_type: 'text', text },
      ...{ ttl: 259_200, rcs: { category: 'authentication' } },
      ...{ webhook_url: CALLBACK_URL, webhook_version: 'v1' },
    });
  },
});

test('it lives as long as its code, because it is taken back when the next channel goes', async () => {
  const now = Date.now();
  const { body } = await sentBy(create, { expiresAt: now + 600_000, replacedAt: now + 60_000 });
  assert.ok(JSON.parse(body).ttl > 500, body);
});

test('what is not delivered when the next channel has its turn is taken back', async () => {
  const gateway = await startGateway();
  const carrier = create(gateway.url, UNHEARD);
  const revoke = (reference: string | null, channel: 'rcs' | 'whatsapp' = 'rcs') =>
    carrier.revoke?.({ ...message, channel, reference }, AbortSignal.timeout(20_000));
  try {
    gateway.play(answer(200, {}), answer(422, {}), reset);
    assert.equal(await revoke('aaaaaaaa-bbbb'), 'unless-arriving');
    assert.equal(await revoke('aaaaaaaa-bbbb'), 'unknown');
    assert.equal(await revoke('aaaaaaaa-bbbb'), 'unknown');
    assert.equal(await revoke(null), 'unknown');
    assert.equal(revoke('aaaaaaaa-bbbb', 'whatsapp'), undefined);
    const [first] = gateway.requests;
    assert.deepEqual(
      [first?.method, first?.url, first?.body],
      ['PATCH', '/v1/messages/aaaaaaaa-bbbb', '{"status":"revoked"}'],
    );
    assertVonageToken(first?.headers.authorization);
  } finally {
    await carrier.stop();
    await gateway.close();
  }
});

test('the key that signs requests for RCS is checked at the start', () => {
  const rcs = { from: AGENT, applicationId: APPLICATION, privateKey: '-----BEGIN nothing' };
  assert.equal(vonage.findFault?.(optionsOf({ rcs }), {}), 'rcs.privateKey: not an RSA private key in PEM');
});

const OVER_RCS = { channel: 'rcs', from: NUMBER.slice(1), to: AGENT, timestamp: '2026-11-30T12:00:00Z' };

receiptContract({
  name: 'vonage, RCS',
  create: (ports) => create('https://api.nexmo.com', ports),
  undeliveredReason: 'rejected, error 1260',
  stated: { price: { amount: 21_000, currency: 'EUR' } },
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const words = { delivered: 'delivered', undelivered: 'rejected', pending: 'submitted' };
    if (event === 'nonsense') return vonageCallback({ channel: 'rcs' }, url, at);
    return vonageCallback(
      {
        ...{ message_uuid: 'r-1', status: words[event], channel: 'rcs', to: NUMBER.slice(1), from: AGENT },
        ...(event === 'delivered' && { usage: { currency: 'EUR', price: '0.021' } }),
        ...(event === 'undelivered' && { error: { title: 1260 } }),
      },
      url,
      at,
    );
  },
  inbound: (text, url, at) =>
    vonageCallback({ ...OVER_RCS, message_uuid: 'm-1', message_type: 'text', text }, url, at),
  unsign: unsignVonage,
});

test('a suggested reply is what it shows', async () => {
  const carrier = create('https://api.nexmo.com', { ...UNHEARD, callbackUrl: CALLBACK_URL });
  const said = { ...OVER_RCS, message_uuid: 'm-1', message_type: 'reply', reply: { id: 'p', title: 'STOP' } };
  assert.deepEqual(await carrier.readCallback?.(vonageCallback(said, CALLBACK_URL, Date.now())), {
    kind: 'messages',
    messages: [{ carrier: 'gateway', from: NUMBER, text: 'STOP' }],
  });
});
