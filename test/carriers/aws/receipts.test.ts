import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { createCertificates, type FetchText, fetchText } from '../../../src/carriers/aws/certificates.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { makeSelfSigned } from '../../../src/http/connection/self-signed.ts';
import { CALLBACK_URL } from '../contract.ts';
import { UNHEARD } from '../ports.ts';
import { receiptContract } from '../receipt-contract.ts';
import { create, TOPIC } from './rig.ts';
import { CERTIFICATE, callbackOf, cert, type Envelope, envelopeOf, unsignSns } from './sns.ts';

receiptContract({
  name: 'aws',
  create: (ports) => create(undefined, ports, async () => cert),
  undeliveredReason: 'TEXT_UNREACHABLE',
  stated: { price: { amount: 8_810, currency: 'USD' }, network: '310800' },
  coversUrl: false,
  toleranceMs: 3_600_000,
  report(event, _url, at) {
    const types = { delivered: 'TEXT_DELIVERED', undelivered: 'TEXT_UNREACHABLE', pending: 'TEXT_PENDING' };
    const message = {
      eventVersion: '1.0',
      isFinal: event !== 'pending',
      messageId: 'r-1',
      messageStatus: 'x',
    };
    const eventType = event === 'nonsense' ? {} : { eventType: types[event] };
    const stated = event === 'delivered' && {
      ...{ mcc: '310', mnc: '800', carrierName: 'T-mobile USA Inc.' },
      ...{ totalMessageParts: 1, totalMessagePrice: 0.00581, totalCarrierFee: 0.003 },
    };
    const body = JSON.stringify({ ...message, ...eventType, ...stated });
    return callbackOf(envelopeOf({ Message: body }, at));
  },
  inbound(text, _url, at) {
    const message = {
      ...{ originationNumber: '+4915112345678', destinationNumber: '+12025550199' },
      ...{ messageKeyword: 'KEYWORD', messageBody: text, inboundMessageId: 'm-1' },
    };
    return callbackOf(envelopeOf({ Message: JSON.stringify(message) }, at));
  },
  unsign: unsignSns,
});

suite('SNS', () => {
  const fetched: string[] = [];
  const ports = {
    ...UNHEARD,
    callbackUrl: CALLBACK_URL,
  };
  const carrierWith = (fetch: FetchText) => create(undefined, ports, fetch);
  const serve: FetchText = async (url) => {
    fetched.push(url.href);
    return cert;
  };
  const delivered = {
    Message: JSON.stringify({ eventType: 'TEXT_DELIVERED', messageId: 'r-1', isFinal: true }),
  };
  const read = async (envelope: Envelope, carrier = carrierWith(serve)) => {
    fetched.length = 0;
    return (await carrier.readCallback?.(callbackOf(envelope)))?.kind;
  };

  test('both versions of the signature, with and without a subject', async () => {
    for (const digest of ['sha1', 'sha256']) {
      for (const subject of [{}, { Subject: 'about' }]) {
        assert.equal(await read(envelopeOf({ ...delivered, ...subject }, Date.now(), digest)), 'receipts');
      }
    }
    assert.equal(await read({ ...envelopeOf(delivered), SignatureVersion: '3' }), 'forged');
    assert.equal(await read({ ...envelopeOf(delivered), Subject: 'added' }), 'forged');
  });

  test('another topic is forged, and no certificate is asked for', async () => {
    assert.equal(await read(envelopeOf({ ...delivered, TopicArn: `${TOPIC}2` })), 'forged');
    assert.deepEqual(fetched, []);
  });

  test('a certificate is fetched from SNS in the region of the topic, and from nowhere else', async () => {
    for (const address of [
      'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
      'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem',
      'https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem',
      'https://evil.example/sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
      'https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem',
      'https://u:p@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
      'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0.pem',
      'https://sns.eu-central-1.amazonaws.com/other/SimpleNotificationService-0.pem',
      'https://bucket.s3.amazonaws.com/SimpleNotificationService-0.pem',
      'not an address',
    ]) {
      assert.equal(await read(envelopeOf({ ...delivered, SigningCertURL: address })), 'forged', address);
      assert.deepEqual(fetched, [], address);
    }
  });

  test('a certificate is fetched once', async () => {
    const carrier = carrierWith(serve);
    assert.equal(await read(envelopeOf(delivered), carrier), 'receipts');
    assert.deepEqual(fetched, [CERTIFICATE]);
    assert.equal(await read(envelopeOf(delivered), carrier), 'receipts');
    assert.deepEqual(fetched, []);
  });

  test('only a few certificates are kept', async () => {
    const asked: string[] = [];
    const keyOf = createCertificates(async ({ pathname }) => {
      asked.push(pathname);
      return cert;
    });
    let now = Date.now();
    const ask = async (name: string) => {
      now += 1_000;
      assert.ok(await keyOf(new URL(name, CERTIFICATE), now));
      return asked.length;
    };
    for (let i = 1; i <= 8; i++) assert.equal(await ask(`/${i}`), i);
    assert.equal(await ask('/1'), 8);
    assert.equal(await ask('/9'), 9);
    assert.equal(await ask('/1'), 10);
  });

  test('a certificate is accepted while it is valid', async () => {
    const [from, until] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
    const { cert } = await makeSelfSigned({ from: new Date(from), until: new Date(until) });
    const keyOf = createCertificates(async () => cert.toString());
    for (const [at, good] of [
      [from - 1_000, false],
      [from, true],
      [until, true],
      [until + 1_000, false],
    ] as const) {
      assert.equal((await keyOf(new URL(CERTIFICATE), at)) !== undefined, good);
    }
  });

  test('without its certificate a message cannot be verified, and SNS has to send it again', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    let away = true;
    let asked = 0;
    const carrier = carrierWith(async () => {
      asked += 1;
      if (away) throw new Error('away');
      return cert;
    });
    for (let i = 0; i < 3; i++) assert.equal(await read(envelopeOf(delivered), carrier), 'unavailable');
    assert.equal(asked, 1, 'one a second');
    away = false;
    t.mock.timers.tick(1_000);
    assert.equal(await read(envelopeOf(delivered), carrier), 'receipts');
  });

  test('what SNS redirects to is not fetched, nor is an error read as a certificate', async (t) => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      if (url === '/moved') response.writeHead(302, { location: '/elsewhere' });
      else if (url === '/gone') response.writeHead(404);
      response.end(cert);
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const at = (path: string) => fetchText(SYSTEM_CLOCK, new URL(path, `http://127.0.0.1:${address.port}`));
    assert.equal(await at('/found'), cert);
    for (const path of ['/moved', '/gone']) await assert.rejects(at(path), path);
    assert.deepEqual(asked, ['/found', '/moved', '/gone']);
  });

  test('anything but a certificate is refused', async () => {
    assert.equal(
      await read(
        envelopeOf(delivered),
        carrierWith(async () => '<html>'),
      ),
      'unavailable',
    );
  });

  const subscription = (SubscribeURL: string, more: Envelope = {}) =>
    envelopeOf({ Type: 'SubscriptionConfirmation', Message: 'confirm', Token: 't', SubscribeURL, ...more });
  const CONFIRM = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t`;

  test('a subscription to the topic is confirmed', async () => {
    assert.equal(await read(subscription(CONFIRM)), 'receipts');
    assert.deepEqual(fetched, [CERTIFICATE, CONFIRM]);
    const away: FetchText = async (url) => {
      if (url.searchParams.has('Action')) throw new Error('away');
      return cert;
    };
    assert.equal(await read(subscription(CONFIRM), carrierWith(away)), 'unavailable');
  });

  test('no other is confirmed: to another topic, elsewhere, or unsigned', async () => {
    const foreign = subscription(CONFIRM, { TopicArn: 'arn:aws:sns:eu-central-1:999999999999:messages' });
    assert.equal(await read(foreign), 'forged');
    assert.deepEqual(fetched, []);
    assert.equal(await read({ ...subscription(CONFIRM), Token: 'other' }), 'forged');
    assert.deepEqual(fetched, [CERTIFICATE]);
    for (const address of [
      'https://evil.example/?Action=ConfirmSubscription',
      CONFIRM.replace('Confirm', 'Delete'),
      CONFIRM.replace('/?', '/other?'),
    ]) {
      assert.equal(await read(subscription(address)), 'malformed');
      assert.deepEqual(fetched, [CERTIFICATE]);
    }
  });

  test('the end of a subscription is accepted', async () => {
    const end = { Type: 'UnsubscribeConfirmation', Message: 'ended', Token: 't', SubscribeURL: CONFIRM };
    assert.equal(await read(envelopeOf(end)), 'receipts');
    assert.deepEqual(fetched, [CERTIFICATE]);
  });

  const EVENTS: readonly (readonly [type: string, isFinal: boolean, status: string | undefined])[] = [
    ['TEXT_DELIVERED', true, 'delivered'],
    ['TEXT_SUCCESSFUL', true, 'delivered'],
    ['TEXT_SUCCESSFUL', false, undefined],
    ['TEXT_QUEUED', false, undefined],
    ['TEXT_UNKNOWN', true, undefined],
    ...[
      'INVALID',
      'INVALID_MESSAGE',
      'UNREACHABLE',
      'CARRIER_UNREACHABLE',
      'BLOCKED',
      'CARRIER_BLOCKED',
      'SPAM',
    ]
      .concat('TTL_EXPIRED', 'PROTECT_BLOCKED')
      .map((name) => [`TEXT_${name}`, true, 'undelivered'] as const),
    ['VOICE_ANSWERED', false, undefined],
    ['VOICE_COMPLETED', true, 'delivered'],
    ...['BUSY', 'NO_ANSWER', 'FAILED', 'TTL_EXPIRED'].map(
      (name) => [`VOICE_${name}`, true, 'undelivered'] as const,
    ),
  ];
  test('every type of event', async () => {
    const carrier = carrierWith(serve);
    for (const [eventType, isFinal, status] of EVENTS) {
      const Message = JSON.stringify({ eventType, messageId: 'r-1', isFinal });
      const answered = await carrier.readCallback?.(callbackOf(envelopeOf({ Message })));
      assert.ok(answered?.kind === 'receipts');
      assert.equal(answered.receipts[0]?.status, status, eventType);
    }
  });
});
