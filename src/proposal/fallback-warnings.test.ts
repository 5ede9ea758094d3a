import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { warningsOf } from './warnings.ts';

const META = 'type: meta, phoneNumberId: "10654035", accessToken: t, template: t, language: en_US';
const WEBHOOK = 'webhook: { appSecret: s, verifyToken: a-token-of-16-characters }';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const SERVICE_ACCOUNT = JSON.stringify({ client_email: 'us@project.example', private_key: privateKey });
const SPEAKERS = { how: () => undefined, serve: () => true, keepAble: <T>(ranked: T) => ranked };

function warned(carrier: string, channel: string, after = '', publicUrl = '') {
  const config = loadText(`${publicUrl}
carriers:
  first: { ${carrier} }
  smsc: { type: smpp, host: h, systemId: u, password: p, source: A }
routes:
  - { channel: ${channel}, carriers: [first], then: { channel: sms, carriers: [smsc]${after} } }`);
  return warningsOf(config, SPEAKERS)
    .filter(({ key }) => key.startsWith('routes[0].then'))
    .map(({ detail }) => detail);
}

const REACHABLE = 'publicUrl: https://verify.example.com';

test('a channel that messages cannot go on by is named, with what it takes', () => {
  const [detail = '', ...more] = warned(META, 'whatsapp');
  assert.match(
    detail,
    /^first reports nothing .*; set after here, or publicUrl and carriers\.first\.webhook for/,
  );
  assert.deepEqual(more, []);
  assert.match(warned(META, 'whatsapp', '', REACHABLE)[0] ?? '', /or carriers\.first\.webhook for/);
  assert.deepEqual(warned(`${META}, ${WEBHOOK}`, 'whatsapp', '', REACHABLE), []);
  assert.match(
    warned('type: telegram, token: t', 'telegram', '', REACHABLE)[0] ?? '',
    /only when its code has expired/,
  );
  assert.deepEqual(warned('type: telegram, token: t', 'telegram', ', after: 30s', REACHABLE), []);
  const google = `type: google, from: a, clientToken: t, serviceAccount: '${SERVICE_ACCOUNT}'`;
  assert.match(warned(google, 'rcs', '', REACHABLE)[0] ?? '', /only when its code has expired/);
  assert.deepEqual(warned(google, 'rcs', ', after: 30s', REACHABLE), []);
});

const GOOGLE = `type: google, from: a, serviceAccount: '${SERVICE_ACCOUNT}'`;
const VONAGE = `type: vonage, apiKey: abcdefgh, apiSecret: s, rcs: { from: A, applicationId: 6f9619ff-8b86-d011-b42d-00c04fc964ff, privateKey: ${JSON.stringify(privateKey)} }`;
const SINCH = 'type: sinch, rcs: { projectId: p, keyId: k, keySecret: s, from: a }';
for (const [carrier, channel, options] of [
  [META, 'whatsapp', 'carriers.first.webhook'],
  [GOOGLE, 'rcs', 'carriers.first.clientToken'],
  [VONAGE, 'rcs', 'carriers.first.signature'],
  [
    'type: telnyx, apiKey: k, rcs: { from: a, messagingProfileId: 6f9619ff-8b86-d011-b42d-00c04fc964ff }',
    'rcs',
    'carriers.first.publicKey',
  ],
  [SINCH, 'rcs', 'carriers.first.rcs.webhookSecret'],
  [
    'type: aws, region: eu-central-1, accessKeyId: AKIAIOSFODNN7EXAMPLE, secretAccessKey: s, rcs: { from: rcs-a1b2c3d4 }',
    'rcs',
    'carriers.first.receiptTopic',
  ],
] as const) {
  test(`with after, everybody gets both messages without ${options}, which is said`, () => {
    assert.deepEqual(warned(carrier, channel, ', after: 20s', REACHABLE), [
      `first reports nothing of a message that it took, so after 20s everybody who has not confirmed gets a second one by this channel, also where the first has arrived; set ${options} for its receipts`,
    ]);
    const [unreachable = ''] = warned(carrier, channel, ', after: 20s');
    assert.match(unreachable, new RegExp(`; set publicUrl and ${options} for its receipts$`));
  });
}

test('what never reports has nothing to be set, so with after nothing is said', () => {
  assert.deepEqual(warned(`${GOOGLE}, clientToken: t`, 'rcs', ', after: 20s', REACHABLE), []);
});
