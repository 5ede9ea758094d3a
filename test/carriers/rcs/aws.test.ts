import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { awsOptions } from '../../../src/carriers/aws/options.ts';
import { aws } from '../../../src/carriers/aws/type.ts';
import { assertSigned, says } from '../aws/api.ts';
import { AGENT, create, SECRET, TOPIC } from '../aws/rig.ts';
import { callbackOf, cert, envelopeOf, unsignSns } from '../aws/sns.ts';
import { CALLBACK_URL, carrierContract } from '../contract.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';
import { message, NUMBER, testLife } from './brokers.ts';

carrierContract({
  name: 'aws, RCS',
  create,
  message,
  asksForReceipts: true,
  secrets: [SECRET],
  says,
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.headers['x-amz-target'], 'PinpointSMSVoiceV2.SendRcsMessage');
    assertSigned(request);
    assert.deepEqual(JSON.parse(request.body), {
      DestinationPhoneNumber: destination.address,
      OriginationIdentity: AGENT,
      RcsMessageContent: { Content: { TextMessage: { Body: text } } },
      MessageTrafficType: 'AUTHENTICATION',
      TimeToLive: 172_800,
      ConfigurationSetName: 'codes',
    });
  },
});

testLife(create, (body) => JSON.parse(body).TimeToLive);

test('who a message comes from is an agent, and no pool, which would go on by SMS by itself', () => {
  const account = { region: 'eu-central-1', accessKeyId: 'A'.repeat(20), secretAccessKey: SECRET };
  const optionsOf = (from: string) => decodeOptions(awsOptions, { type: 'aws', ...account, rcs: { from } });
  for (const from of [AGENT, `arn:aws:sms-voice:us-east-1:123456789012:rcs-agent/${AGENT}`])
    assert.deepEqual(aws.channelsOf(optionsOf(from)), ['rcs']);
  for (const from of ['pool-0123', 'arn:aws:sms-voice:us-east-1:123456789012:pool/pool-0123', '+12025550123'])
    assert.throws(() => optionsOf(from));
});

/** As AWS's page on events of RCS shows it. */
const eventOf = (eventType: string, messageStatus: string, more: object = {}) => ({
  ...{ eventType, eventVersion: '1.0', isFinal: true, messageId: 'r-1', messageStatus },
  ...{ originationPhoneNumber: AGENT, destinationPhoneNumber: NUMBER, isoCountryCode: 'DE' },
  ...{ totalMessageParts: 1, totalMessagePrice: 0.007, totalCarrierFee: 0.00494 },
  ...{ rcsMetadata: { billingEventType: 'BASIC' }, rcsBusinessId: 'acme_agent' },
  ...more,
});
const published = (event: object, at?: number) =>
  callbackOf(envelopeOf({ Message: JSON.stringify(event) }, at));

receiptContract({
  name: 'aws, RCS',
  create: (ports) => create(undefined, ports, async () => cert),
  undeliveredReason: 'RCS_FAILED',
  stated: { price: { amount: 11_940, currency: 'USD' } },
  coversUrl: false,
  toleranceMs: 3_600_000,
  report(event, _url, at) {
    const unpriced = { totalMessagePrice: null };
    const events = {
      delivered: eventOf('RCS_DELIVERED', 'DELIVERED'),
      undelivered: eventOf('RCS_FAILED', 'UNDELIVERABLE', unpriced),
      pending: eventOf('RCS_SENT', 'PENDING'),
      nonsense: { messageStatus: 'DELIVERED' },
    };
    return published(events[event], at);
  },
  inbound: (text, _url, at) =>
    published(
      {
        ...{ originationNumber: NUMBER.slice(1), destinationNumber: AGENT },
        ...{ messageBody: text, inboundMessageId: 'm-1' },
      },
      at,
    ),
  unsign: unsignSns,
});

suite('what AWS tells of RCS', () => {
  const carrier = create(undefined, { ...UNHEARD, callbackUrl: CALLBACK_URL }, async () => cert);
  const told = async (event: object) => carrier.readCallback?.(published(event));
  const nothing = { kind: 'receipts', receipts: [] };
  const received = (messageBody: object) =>
    told({
      ...{ originationNumber: NUMBER.slice(1), destinationNumber: AGENT, inboundMessageId: 'm-1' },
      messageBody: JSON.stringify(messageBody),
    });

  test('a message that was read has arrived, and that event costs nothing of its own', async () => {
    const free = { totalMessagePrice: 0, totalCarrierFee: 0 };
    const receipts = [{ carrier: 'gateway', references: ['r-1'], status: 'delivered' }];
    assert.deepEqual(await told(eventOf('RCS_READ', 'READ', free)), { kind: 'receipts', receipts });
  });

  for (const [type, status, reason] of [
    ['RCS_DELIVERED', 'UNDELIVERABLE', 'RCS_UNDELIVERABLE'],
    ['RCS_DELIVERED', 'REJECTED', 'RCS_REJECTED'],
    ['RCS_DELIVERED', 'PENDING', undefined],
    ['RCS_TTL_EXPIRED', 'TTL_EXPIRATION_REVOKED', 'RCS_TTL_EXPIRED'],
    ['RCS_TTL_EXPIRED', 'TTL_EXPIRATION_REVOKE_FAILED', undefined],
    ['RCS_PROTECT_BLOCKED', 'BLOCKED', 'RCS_PROTECT_BLOCKED'],
  ] as const) {
    test(`${type} with ${status} is ${reason === undefined ? 'no outcome' : 'undelivered'}`, async () => {
      const unpriced = { totalMessagePrice: null };
      const receipt = { carrier: 'gateway', references: ['r-1'], status: 'undelivered', reason };
      const expected = reason === undefined ? nothing : { kind: 'receipts', receipts: [receipt] };
      assert.deepEqual(await told(eventOf(type, status, unpriced)), expected);
    });
  }

  test('a suggested reply is what it shows, the buttons are STOP and START, and typing says nothing', async () => {
    const heard = (text: string) => ({
      kind: 'messages',
      messages: [{ carrier: 'gateway', from: NUMBER, text }],
    });
    assert.deepEqual(await received({ type: 'SUGGESTION', text: 'STOP', postbackData: 'p' }), heard('STOP'));
    assert.deepEqual(await received({ type: 'UNSUBSCRIBE' }), heard('STOP'));
    assert.deepEqual(await received({ type: 'SUBSCRIBE' }), heard('START'));
    assert.deepEqual(await received({ type: 'RCS_TYPING', receivedAt: '2026-11-30T12:00:00Z' }), nothing);
    assert.deepEqual(await received({ smile: ':-}' }), heard('{"smile":":-}"}'));
  });

  test('without its topic AWS reports nothing of RCS', () => {
    const account = { region: 'eu-central-1', accessKeyId: 'A'.repeat(20), secretAccessKey: SECRET };
    const optionsOf = (more: object) =>
      decodeOptions(awsOptions, { type: 'aws', ...account, rcs: { from: AGENT }, ...more });
    const publicUrl = 'https://verify.example.com';
    const lacks = (more: object) => aws.lacksForReports?.(optionsOf(more), 'rcs', { publicUrl });
    assert.deepEqual([lacks({}), lacks({ receiptTopic: TOPIC })], [['receiptTopic'], []]);
  });
});
