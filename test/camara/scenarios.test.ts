/** Every scenario that CAMARA has published of one-time-password-sms, in both versions, against a whole service. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { freshNumber, wrongCode } from '../acceptance/client.ts';
import { CORRELATOR, GUESSES, MESSAGE, OTP, SENDS, startCamara } from './rig.ts';

const LANDLINE = '+493012345678';

const cleanups: (() => unknown)[] = [];
let rig: Awaited<ReturnType<typeof startCamara>>;
before(async () => {
  rig = await startCamara({ after: (close) => cleanups.push(close) });
});
after(async () => {
  for (const close of cleanups.reverse()) await close();
});

for (const version of ['v1', 'v2'] as const) {
  suite(`one-time-password-sms ${version}`, () => {
    test('a code is sent in the words of the client, and is right once', async () => {
      const { id, code, text } = await rig.sent(version);
      assert.ok(id.length <= 36);
      assert.equal(text, MESSAGE.replace('{{code}}', code));
      assert.equal((await rig.validate(version, id, code)).status, 204);
      const again = await rig.validate(version, id, code);
      assert.deepEqual([again.status, again.code], [400, `${OTP}.VERIFICATION_EXPIRED`]);
    });

    test('without a correlator there is none in the answer', async () => {
      const { id, status, headers } = await rig.sendTo(
        version,
        freshNumber(),
        {},
        { headers: { 'x-correlator': '' } },
      );
      assert.deepEqual([status, headers['x-correlator']], [200, undefined]);
      assert.notEqual(id, '');
    });

    test('a correlator that is malformed is refused, and not repeated', async () => {
      for (const malformed of ['a b', 'x'.repeat(257)]) {
        const options = { headers: { 'x-correlator': malformed } };
        const { status, code, headers } = await rig.sendTo(version, freshNumber(), {}, options);
        assert.deepEqual([status, code, headers['x-correlator']], [400, 'INVALID_ARGUMENT', undefined]);
      }
    });

    test('a body that does not keep to the schema is refused, and uses nothing up', async () => {
      const phoneNumber = freshNumber();
      const unsent: readonly unknown[] = [
        ...[undefined, {}, [], { phoneNumber }, { message: MESSAGE }, { phoneNumber, message: '' }],
        ...['3301', '+49 151', '+0491', `tel:${phoneNumber}`, 7].map((each) => ({
          phoneNumber: each,
          message: MESSAGE,
        })),
        ...[
          'message without code',
          `${MESSAGE} ${'x'.repeat(160)}`,
          '{{ code }}',
          '{{code}} is a text of our own',
        ].map((message) => ({ phoneNumber, message })),
      ];
      for (const body of unsent) {
        const { status, code, text } = await rig.call(version, 'send-code', body);
        assert.deepEqual([status, code], [400, 'INVALID_ARGUMENT'], JSON.stringify(body));
        assert.ok(!text.includes(phoneNumber.slice(1)));
      }
      const { id, code } = await rig.sent(version, phoneNumber);
      for (const body of [
        ...[undefined, {}, { authenticationId: id }, { code }, { authenticationId: id, code: '' }],
        { authenticationId: id, code: 'thisCodeExceedsTenCharacters' },
        { authenticationId: 'x'.repeat(37), code },
      ]) {
        const refused = await rig.call(version, 'validate-code', body);
        assert.deepEqual([refused.status, refused.code], [400, 'INVALID_ARGUMENT'], JSON.stringify(body));
      }
      for (let guess = 1; guess < GUESSES; guess++) await rig.validate(version, id, wrongCode(code));
      assert.equal((await rig.validate(version, id, code)).status, 204);
    });

    test('a message in another of the operator’s texts is sent, whatever its white space', async () => {
      const number = freshNumber();
      const message = ' {{code}}  ist dein Code. Gib ihn\nniemandem.';
      const { id, status } = await rig.sendTo(version, number, { message });
      assert.equal(status, 200);
      const found = await rig.client.message(number, id, { key: rig.key });
      assert.equal(found.text, `${found.code} ist dein Code.\nGib ihn niemandem.`);
    });

    test('without a valid key or token nothing is looked at', async () => {
      const token = await rig.tokenOf(rig.key);
      for (const [bearer, header] of [
        [null, 'Bearer'],
        ['nonsense', 'Bearer error="invalid_token"'],
        [`${token.slice(0, -4)}AAAA`, 'Bearer error="invalid_token"'],
      ] as const) {
        for (const operation of ['send-code', 'validate-code'] as const) {
          const { status, code, headers } = await rig.call(version, operation, undefined, { key: bearer });
          assert.deepEqual([status, code], [401, 'UNAUTHENTICATED']);
          assert.equal(headers['www-authenticate'], header);
        }
      }
    });

    test('a number gets so many codes and no more, and a refusal ends nothing', async () => {
      const number = freshNumber();
      let last = await rig.sent(version, number);
      for (let n = 1; n < SENDS; n++) last = await rig.sent(version, number);
      const { status, code, headers } = await rig.sendTo(version, number);
      assert.deepEqual([status, code], [403, `${OTP}.MAX_OTP_CODES_EXCEEDED`]);
      assert.ok(Number(headers['retry-after']) > 0);
      assert.equal((await rig.validate(version, last.id, last.code)).status, 204);
    });

    test('what receives no SMS, is blocked, or is not served is refused', async () => {
      const blocked = freshNumber();
      const put = await rig.owner.post(`${rig.path}/do-not-send/numbers`, { number: blocked });
      assert.equal(put.status, 204, put.text);
      for (const [number, status, code] of [
        [LANDLINE, 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`],
        ['+881612345678', 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`],
        [blocked, 403, `${OTP}.PHONE_NUMBER_BLOCKED`],
        ['+447400123456', 404, 'NOT_FOUND'],
        ['+4915', 400, 'INVALID_ARGUMENT'],
      ] as const) {
        const refused = await rig.sendTo(version, number);
        assert.deepEqual([refused.status, refused.code], [status, code], number);
      }
    });

    test('a wrong code is invalid, and the last of them ends the verification', async () => {
      const { id, code } = await rig.sent(version);
      const codes: (string | undefined)[] = [];
      for (let guess = 0; guess < GUESSES; guess++)
        codes.push((await rig.validate(version, id, wrongCode(code))).code);
      const failed = `${OTP}.VERIFICATION_FAILED`;
      assert.deepEqual(codes, [...Array(GUESSES - 1).fill(`${OTP}.INVALID_OTP`), failed]);
      const right = await rig.validate(version, id, code);
      assert.deepEqual([right.status, right.code], [400, failed]);
    });

    test('a code is not right when its time is over, or a newer one was sent', async () => {
      const late = await rig.sent(version);
      using database = new DatabaseSync(join(rig.service.dataDir, 'countersign.db'), { timeout: 20_000 });
      database.prepare('UPDATE verification SET expires_at = created_at WHERE id = ?').run(late.id);
      const first = await rig.sent(version);
      const second = await rig.sent(version, first.number);
      for (const { id, code } of [late, first]) {
        const expired = await rig.validate(version, id, code);
        assert.deepEqual([expired.status, expired.code], [400, `${OTP}.VERIFICATION_EXPIRED`]);
      }
      assert.equal((await rig.validate(version, second.id, second.code)).status, 204);
    });

    test('an id of nobody, or of a key of the other kind, is not found', async () => {
      const { id, code } = await rig.sent(version);
      const asTest = { key: (await rig.makeKey({ test: true })).secret };
      for (const found of [
        await rig.validate(version, `ver_${'0'.repeat(32)}`, code),
        await rig.validate(version, 'nonsense', code),
        await rig.validate(version, id, code, asTest),
      ]) {
        assert.deepEqual([found.status, found.code], [404, 'NOT_FOUND']);
      }
      assert.equal((await rig.validate(version, id, code)).status, 204);
    });

    test('a key that may not send SMS has no permission', async () => {
      const { status, code } = await rig.sendTo(
        version,
        freshNumber(),
        {},
        { key: (await rig.makeKey({ channels: ['voice'] })).secret },
      );
      assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
    });

    test('another method is not allowed, another path is not there, and another type is not read', async () => {
      const options = { key: rig.key, headers: { 'x-correlator': CORRELATOR } };
      const base = `/camara/one-time-password-sms/${version}`;
      const { client } = rig.service;
      const got = await client.get(`${base}/send-code`, options);
      assert.deepEqual(
        [got.status, got.headers.allow, JSON.parse(got.text).code],
        [405, 'POST', 'METHOD_NOT_ALLOWED'],
      );
      const lost = await client.post(`${base}/send`, {}, options);
      assert.deepEqual([lost.status, JSON.parse(lost.text).code], [404, 'NOT_FOUND']);
      for (const answer of [got, lost]) assert.equal(answer.headers['x-correlator'], CORRELATOR);
      const form = await rig.call(version, 'send-code', {}, { headers: { 'content-type': 'text/plain' } });
      assert.deepEqual([form.status, form.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
    });
  });
}

test('the second version refuses what it does not know, the first does not mind', async () => {
  const more = { validity: 7 };
  assert.equal((await rig.sendTo('v1', freshNumber(), more)).status, 200);
  const { status, code, text } = await rig.sendTo('v2', freshNumber(), more);
  assert.deepEqual([status, code], [400, 'INVALID_ARGUMENT']);
  assert.match(text, /: is not known here; known are phoneNumber/);
});
