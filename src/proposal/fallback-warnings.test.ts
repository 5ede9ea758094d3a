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
    .filter(({ key }) => key === 'routes[0].then')
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
  assert.deepEqual(warned(META, 'whatsapp', ', after: 30s'), []);
  assert.match(
    warned('type: telegram, token: t', 'telegram', '', REACHABLE)[0] ?? '',
    /only when its code has expired/,
  );
  assert.deepEqual(warned('type: telegram, token: t', 'telegram', ', after: 30s'), []);
  const google = `type: google, from: a, clientToken: t, serviceAccount: '${SERVICE_ACCOUNT}'`;
  assert.match(warned(google, 'rcs', '', REACHABLE)[0] ?? '', /only when its code has expired/);
  assert.deepEqual(warned(google, 'rcs', ', after: 30s'), []);
});
