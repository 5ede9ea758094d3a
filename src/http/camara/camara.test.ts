import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import type { FieldErrorCode } from '../../core/errors/field-error.ts';
import { OutcomeUnknown, StoreFailure, StoreUnavailable } from '../../core/errors/store-failure.ts';
import { MAX_AHEAD_MS } from '../../core/seams/clock.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import type { Caller, ConfirmAnswer, RequestAnswer } from '../../core/verification/request.ts';
import { createFixture, NUMBER, type VerifierAnswers } from '../fixture.ts';
import type { HttpDeps } from '../server.ts';
import { openToken, SEND_VALIDATE, sealToken, TOKEN_SECONDS } from './access-token.ts';

const CALLER: Caller = {
  ...{ keyId: 'key_1', accountId: 'acc_1', test: false },
  settings: { ...NO_SETTINGS, camara: true },
};
const KEYRING = new Keyring('a secret of thirty-two bytes or so');
const SECRET = 'a key';
const LIMIT = { max: 5, windowMs: 600_000 };
const OTP = 'ONE_TIME_PASSWORD_SMS';

const clockAt = (wall: number) => ({ clock: { wall: () => wall }, keyring: KEYRING });
const tokenWith = (...scopes: string[]) => sealToken(clockAt(Date.now()), { key: SECRET, scopes });

/** Asks a service whose parts answer as given. */
async function ask(
  t: TestContext,
  answers: VerifierAnswers,
  deps: Partial<HttpDeps> = {},
  body: object = { phoneNumber: NUMBER, message: '{{code}}' },
) {
  const authenticate = (token: string) => (token === SECRET ? CALLER : ('unknown' as const));
  const { post, log, requests } = await createFixture(t, answers, {
    authenticate,
    keyring: KEYRING,
    ...deps,
  });
  const operation = 'code' in body ? 'validate-code' : 'send-code';
  const headers = { authorization: `Bearer ${tokenWith(SEND_VALIDATE)}` };
  const answer = await post(`/camara/one-time-password-sms/v1/${operation}`, body, headers);
  return { ...answer, log, requests };
}

const invalid = (code: FieldErrorCode): RequestAnswer => ({
  ...{ kind: 'invalid', field: 'destination', code, detail: 'is not sent to' },
});

suite('CAMARA', () => {
  const sends: readonly (readonly [RequestAnswer | Error, number, string, string | undefined])[] = [
    [{ kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 700 }, 429, 'TOO_MANY_REQUESTS', '1'],
    [
      { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 90_000 },
      ...([403, `${OTP}.MAX_OTP_CODES_EXCEEDED`, '90'] as const),
    ],
    [{ kind: 'limited', scope: 'route', limit: LIMIT, retryAfterMs: 5_000 }, 429, 'QUOTA_EXCEEDED', '5'],
    [
      { kind: 'exhausted', budget: 'account acc_1', endsAt: 0, retryAfterMs: 5_000 },
      ...([429, 'QUOTA_EXCEEDED', '5'] as const),
    ],
    [{ kind: 'guarded', retryAfterMs: 60_000 }, 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`, '60'],
    [{ kind: 'unanswered', retryAfterMs: 5_000 }, 503, 'UNAVAILABLE', '5'],
    [invalid('landline'), 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`, undefined],
    [invalid('premium_rate'), 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`, undefined],
    [invalid('do_not_send'), 403, `${OTP}.PHONE_NUMBER_BLOCKED`, undefined],
    [invalid('country_not_allowed'), 404, 'NOT_FOUND', undefined],
    [invalid('no_route'), 404, 'NOT_FOUND', undefined],
    [invalid('channel_not_allowed'), 403, 'PERMISSION_DENIED', undefined],
    [invalid('invalid_number'), 400, 'INVALID_ARGUMENT', undefined],
    [new StoreUnavailable('full'), 503, 'UNAVAILABLE', '1'],
    [new OutcomeUnknown('cut'), 503, 'UNAVAILABLE', '1'],
    [new Error('a bug'), 500, 'INTERNAL', undefined],
  ];
  for (const [request, status, code, retryAfter] of sends) {
    const what = request instanceof Error ? request.message : Object.values(request).slice(0, 3).join(' ');
    test(`sending: ${what} is ${status} ${code}`, async (t) => {
      const answer = await ask(t, { request });
      assert.deepEqual([answer.status, answer.json.code, answer.json.status], [status, code, status]);
      assert.deepEqual(Object.keys(answer.json), ['status', 'code', 'message']);
      assert.equal(answer.headers['retry-after'], retryAfter);
      const why = answer.log.find(({ msg }) => msg === 'requests are answered 503');
      assert.equal(Object(why?.error).message, request instanceof StoreFailure ? request.message : undefined);
    });
  }

  const guesses: readonly (readonly [ConfirmAnswer, number, string])[] = [
    [{ kind: 'mismatch', attemptsRemaining: 1 }, 400, `${OTP}.INVALID_OTP`],
    [{ kind: 'mismatch', attemptsRemaining: 0 }, 400, `${OTP}.VERIFICATION_FAILED`],
    [{ kind: 'attempts-exhausted' }, 400, `${OTP}.VERIFICATION_FAILED`],
    [{ kind: 'expired' }, 400, `${OTP}.VERIFICATION_EXPIRED`],
    [{ kind: 'already-confirmed' }, 400, `${OTP}.VERIFICATION_EXPIRED`],
    [{ kind: 'unknown' }, 404, 'NOT_FOUND'],
  ];
  for (const [confirm, status, code] of guesses) {
    test(`validating: ${Object.values(confirm).join(' ')} is ${status} ${code}`, async (t) => {
      const answer = await ask(t, { confirm }, {}, { authenticationId: 'ver_1', code: '123456' });
      assert.deepEqual([answer.status, answer.json.code], [status, code]);
    });
  }

  test('is shed like everything else, before its key is looked up', async (t) => {
    const authenticate = () => assert.fail('a key was looked up');
    const { status, json } = await ask(t, {}, { authenticate, findNotReady: () => 'overloaded' });
    assert.deepEqual([status, json.code], [503, 'UNAVAILABLE']);
    const { app } = await createFixture(t, {}, { authenticate, findNotReady: () => 'overloaded' });
    const asked = await app.inject({ method: 'POST', url: '/camara/oauth2/token' });
    assert.equal(asked.statusCode, 503);
  });

  test('another method or path is refused as such, whatever its body is', async (t) => {
    const { app } = await createFixture(t);
    const bodies = [
      ['application/json', '{'],
      ['text/csv', 'a,b'],
      ['application/json', `"${'x'.repeat(20_000)}"`],
    ] as const;
    for (const [type, payload] of bodies) {
      for (const [method, url, status, code] of [
        ['PUT', '/camara/one-time-password-sms/v1/send-code', 405, 'METHOD_NOT_ALLOWED'],
        ['PUT', '/camara/oauth2/token', 405, 'METHOD_NOT_ALLOWED'],
        ['POST', '/camara/one-time-password-sms/v3/send-code', 404, 'NOT_FOUND'],
      ] as const) {
        const answer = await app.inject({ method, url, headers: { 'content-type': type }, payload });
        assert.deepEqual([answer.statusCode, answer.json().code], [status, code]);
        assert.equal(answer.headers.allow, status === 405 ? 'POST' : undefined);
      }
    }
  });

  test('is off for an account that did not turn it on', async (t) => {
    for (const settings of [
      undefined,
      NO_SETTINGS,
      { ...NO_SETTINGS, camara: null, twilio: true as const },
    ]) {
      const { status, json } = await ask(t, {}, { authenticate: () => ({ ...CALLER, settings }) });
      assert.deepEqual([status, json.code], [403, 'PERMISSION_DENIED']);
    }
  });

  test('asks for an SMS in the named text, that ends the codes before', async (t) => {
    const { requests } = await ask(t, {});
    assert.deepEqual(requests, [
      {
        ...{ destination: NUMBER, channel: 'sms', idempotencyKey: undefined, endsEarlier: true },
        options: { template: 'login', locale: 'en' },
      },
    ]);
  });
});

suite('access tokens', () => {
  const made = { key: SECRET, scopes: [SEND_VALIDATE, 'dpv:Marketing'] };

  test('a token says its key and scopes until its time is over', () => {
    const token = sealToken(clockAt(0), made);
    assert.deepEqual(openToken(clockAt(TOKEN_SECONDS * 1_000 - 1), token), made);
    assert.equal(openToken(clockAt(TOKEN_SECONDS * 1_000), token), undefined);
  });

  test('a token that was made while the clock was ahead is none once that is corrected', () => {
    const lasts = TOKEN_SECONDS * 1_000;
    const of = (now: number) => openToken(clockAt(now), sealToken(clockAt(MAX_AHEAD_MS), made));
    // The clocks of two nodes may differ by so much.
    assert.deepEqual(of(0), made);
    for (const ahead of [1, lasts, 86_400_000]) assert.equal(of(-ahead), undefined);
  });

  test('a token needs no escape in a header, and does not show its key', () => {
    const token = tokenWith(SEND_VALIDATE);
    assert.match(token, /^[A-Za-z0-9\-._~+/]+=*$/);
    assert.ok(!Buffer.from(token, 'base64url').includes(SECRET));
  });

  test('what was sealed elsewhere or for something else is no token', () => {
    const other = new Keyring('another secret of thirty-two bytes');
    const elsewhere = sealToken({ clock: { wall: () => 0 }, keyring: other }, made);
    const forOther = KEYRING.seal(JSON.stringify([9e15, SECRET]), 'ver_1 destination');
    for (const token of [elsewhere, forOther, '', 'nonsense']) {
      assert.equal(openToken(clockAt(0), token), undefined);
    }
  });
});
