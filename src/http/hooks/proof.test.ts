/** Signatures as the systems make them, and everything that is not quite one. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { HOOK_SYSTEMS, type HookSystem } from '../../core/hooks/system.ts';
import { createHookProof } from './proof.ts';

const NOW = 1_795_421_000_000;
const SECONDS = NOW / 1000;
const KEY = 'csk_live_000000000000000000000000000000000000';
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const BODY = Buffer.from('{"a":"ä"}');

const proofOf = (system: HookSystem) => createHookProof({ system, key: KEY, secret: SECRET });
const hex = (text: string | Buffer) => createHmac('sha256', SECRET).update(text).digest('hex');

test('Zitadel: the signature of any of its keys, under either name, within five minutes', () => {
  const prove = proofOf('zitadel');
  const signed = (seconds: number) => hex(`${seconds}.${BODY}`);
  const header = `t=${SECONDS},v1=${'0'.repeat(64)},v1=${signed(SECONDS)}`;
  assert.equal(prove({ 'zitadel-signature': header }, BODY, NOW), undefined);
  assert.equal(prove({ 'x-zitadel-signature': header }, BODY, NOW), undefined);
  for (const [off, reason] of [
    [300, undefined],
    [301, 'wrong time'],
    [-300, undefined],
    [-301, 'wrong time'],
  ] as const) {
    const at = SECONDS + off;
    assert.equal(prove({ 'zitadel-signature': `t=${at},v1=${signed(at)}` }, BODY, NOW), reason);
  }
  for (const wrong of [
    ...[
      '',
      't=',
      `t=${SECONDS}`,
      `v1=${signed(SECONDS)}`,
      `t=${SECONDS},v1=`,
      `t=${SECONDS},v2=${signed(SECONDS)}`,
    ],
    // The time that counts is the one that is signed.
    `t=${SECONDS - 1},t=${SECONDS},v1=${signed(SECONDS)}`,
  ]) {
    assert.equal(prove({ 'zitadel-signature': wrong }, BODY, NOW), 'wrong proof', wrong);
  }
  assert.equal(prove({}, BODY, NOW), 'no proof');
});

test('Supabase and Clerk: what Standard Webhooks signs, under two names', () => {
  const signature = new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY);
  for (const [system, prefix] of [
    ['supabase', 'webhook'],
    ['clerk', 'svix'],
  ] as const) {
    const prove = proofOf(system);
    const headers = {
      ...{ [`${prefix}-id`]: 'msg_1', [`${prefix}-timestamp`]: String(SECONDS) },
      [`${prefix}-signature`]: signature,
    };
    assert.equal(prove(headers, BODY, NOW), undefined);
    for (const [name, value, reason] of [
      ['signature', `v1,${'A'.repeat(43)}= ${signature}`, undefined],
      ['signature', `v1,${'A'.repeat(43)}=, ${signature}`, undefined],
      ['signature', signature.replace('v1,', 'v1a,'), 'wrong proof'],
      ['signature', `x${signature}`, 'wrong proof'],
      ['signature', signature.slice(3), 'wrong proof'],
      ['id', 'msg_2', 'wrong proof'],
      ['timestamp', String(SECONDS + 1), 'wrong proof'],
      ['timestamp', undefined, 'no proof'],
    ] as const) {
      assert.equal(
        prove({ ...headers, [`${prefix}-${name}`]: value }, BODY, NOW),
        reason,
        `${name} ${value}`,
      );
    }
    assert.equal(prove(headers, Buffer.concat([BODY, Buffer.from(' ')]), NOW), 'wrong proof');
    assert.equal(prove(headers, BODY, NOW + 301_000), 'wrong time');
    assert.equal(prove(headers, BODY, NOW - 301_000), 'wrong time');
  }
});

test('Authgear: the body, in hex', () => {
  const prove = proofOf('authgear');
  assert.equal(prove({ 'x-authgear-body-signature': hex(BODY) }, BODY, NOW), undefined);
  assert.equal(prove({ 'x-authgear-body-signature': hex('{}') }, BODY, NOW), 'wrong proof');
  assert.equal(prove({}, BODY, NOW), 'no proof');
});

test('the others: the key, as a bearer token or as a Basic password with any user', () => {
  const prove = createHookProof({ system: 'kratos', key: KEY });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  for (const authorization of [`Bearer ${KEY}`, basic(`:${KEY}`), basic(`anybody:${KEY}`)]) {
    assert.equal(prove({ authorization }, BODY, NOW), undefined);
  }
  for (const authorization of [`Bearer ${KEY}x`, 'Bearer', basic(`${KEY}:`), basic(`a:${KEY.slice(1)}`)]) {
    assert.equal(prove({ authorization }, BODY, NOW), 'wrong proof', authorization);
  }
  assert.equal(prove({}, BODY, NOW), 'no proof');
  for (const authorization of ['', KEY, basic(KEY)]) {
    assert.equal(prove({ authorization }, BODY, NOW), 'no proof', authorization);
  }
});

test('no headers that somebody makes up are a proof, and none throws', () => {
  const names = ['webhook', 'svix'].flatMap((each) => [
    `${each}-id`,
    `${each}-timestamp`,
    `${each}-signature`,
  ]);
  const name = fc.constantFrom(...names, 'zitadel-signature', 'x-authgear-body-signature', 'authorization');
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(String(SECONDS), `t=${SECONDS},v1=`, 'v1,', 'Bearer ', 'Basic Og=='),
    fc.string({ minLength: 43, maxLength: 43 }).map((text) => `v1,${text}=`),
  );
  fc.assert(
    fc.property(fc.constantFrom(...HOOK_SYSTEMS), fc.dictionary(name, value), (system, headers) => {
      const secret = system === 'supabase' ? `v1,${SECRET}|${SECRET}` : SECRET;
      assert.notEqual(createHookProof({ system, key: KEY, secret })(headers, BODY, NOW), undefined);
    }),
  );
});
