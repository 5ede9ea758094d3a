import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import { OutcomeUnknown, StoreFailure, StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { FeedbackAnswer } from '../../core/verification/feedback.ts';
import type { Inquired } from '../../core/verification/reading/inquiry.ts';
import type { Caller, RequestAnswer } from '../../core/verification/request.ts';
import { createFixture, KEY, NUMBER, type VerifierAnswers } from '../fixture.ts';
import type { HttpDeps } from '../server.ts';

const CALLER: Caller = {
  ...{ keyId: 'key_1', accountId: 'acc_1', test: false },
  settings: { ...NO_SETTINGS, twilio: true },
};
const SERVICE = `VA${'b'.repeat(32)}`;
const PATH = `/twilio/v2/Services/${SERVICE}`;
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Asks a service whose parts answer as given, by default for a code. */
async function ask(
  t: TestContext,
  answers: VerifierAnswers,
  deps: Partial<HttpDeps> = {},
  {
    path = '/Verifications',
    below = PATH,
    form = `To=${encodeURIComponent(NUMBER)}&Channel=sms`,
    user = 'AC',
    headers = {},
  } = {},
) {
  const authenticate = (token: string) => (token === KEY ? CALLER : ('unknown' as const));
  const { app, log, requests } = await createFixture(t, answers, { authenticate, ...deps });
  const reply = await app.inject({
    method: form === '' ? 'GET' : 'POST',
    url: `${below}${path}`,
    ...(form !== '' && { payload: form }),
    headers: {
      authorization: basic(user, KEY),
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });
  return { status: reply.statusCode, headers: reply.headers, json: reply.json(), log, requests };
}

const LIMIT = { max: 5, windowMs: 600_000 };

suite('Twilio Verify', () => {
  const refusals: readonly (readonly [RequestAnswer | Error, number, number, string | undefined])[] = [
    [{ kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 700 }, 429, 20429, '1'],
    [{ kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 90_000 }, 429, 60203, '90'],
    [{ kind: 'limited', scope: 'route', limit: LIMIT, retryAfterMs: 5_000 }, 429, 60207, '5'],
    [{ kind: 'exhausted', budget: 'account acc_1', endsAt: 0, retryAfterMs: 5_000 }, 429, 60207, '5'],
    [{ kind: 'guarded', retryAfterMs: 60_000 }, 403, 60410, '60'],
    [{ kind: 'unanswered', retryAfterMs: 5_000 }, 503, 20503, '5'],
    [{ kind: 'idempotency-in-progress' }, 429, 60212, undefined],
    [{ kind: 'idempotency-mismatch' }, 400, 60200, undefined],
    [{ kind: 'invalid', field: 'destination', code: 'landline', detail: 'no' }, 403, 60205, undefined],
    [{ kind: 'invalid', field: 'destination', code: 'do_not_send', detail: 'no' }, 403, 60605, undefined],
    [
      { kind: 'invalid', field: 'destination', code: 'country_not_allowed', detail: 'no' },
      403,
      60605,
      undefined,
    ],
    [{ kind: 'invalid', field: 'destination', code: 'premium_rate', detail: 'no' }, 403, 60605, undefined],
    [{ kind: 'invalid', field: 'destination', code: 'no_route', detail: 'no' }, 403, 60605, undefined],
    [{ kind: 'invalid', field: 'destination', code: 'no_price', detail: 'no' }, 403, 60605, undefined],
    [{ kind: 'invalid', field: 'destination', code: 'no_voice', detail: 'no' }, 400, 60200, undefined],
    [{ kind: 'invalid', field: 'channel', code: 'channel_not_allowed', detail: 'no' }, 400, 60223, undefined],
    [new StoreUnavailable('full'), 503, 20503, '1'],
    [new OutcomeUnknown('cut'), 503, 20503, '1'],
    [new Error('a bug'), 500, 20500, undefined],
  ];
  for (const [request, status, code, retryAfter] of refusals) {
    const kind = request instanceof Error ? request.message : request.kind;
    test(`${kind}: ${status} ${code}`, async (t) => {
      const answer = await ask(t, { request });
      assert.deepEqual([answer.status, answer.json.code, answer.json.status], [status, code, status]);
      assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'more_info', 'status']);
      assert.equal(answer.headers['retry-after'], retryAfter);
      assert.equal(answer.headers['cache-control'], 'no-store');
      const why = answer.log.find(({ msg }) => msg === 'requests are answered 503');
      assert.equal(Object(why?.error).message, request instanceof StoreFailure ? request.message : undefined);
    });
  }

  test('is shed like everything else, before its key is looked up', async (t) => {
    const authenticate = () => assert.fail('a key was looked up');
    const { status, json } = await ask(t, {}, { authenticate, findNotReady: () => 'overloaded' });
    assert.deepEqual([status, json.code], [503, 20503]);
    assert.equal(json.message, 'The service is overloaded right now. Nothing was done');
    const other = await ask(t, {}, { authenticate, findNotReady: () => 'unavailable' });
    assert.deepEqual([other.status, other.json.code], [503, 20503]);
    assert.equal(other.json.message, 'The service cannot work right now. Nothing was done');
  });

  test('a path that Twilio does not have is refused as such, whatever its body is', async (t) => {
    const { app } = await createFixture(t);
    for (const [type, payload] of [
      ['application/json', '{'],
      ['text/csv', 'a,b'],
      ['application/x-www-form-urlencoded', `To=${'1'.repeat(100_000)}`],
    ] as const) {
      const answer = await app.inject({
        ...{ method: 'POST', url: '/twilio/v2/Nothing', payload },
        headers: { 'content-type': type },
      });
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 20404]);
    }
  });

  test('is off for an account that did not turn it on', async (t) => {
    for (const settings of [undefined, NO_SETTINGS, { ...NO_SETTINGS, twilio: null }]) {
      const { status, json } = await ask(t, {}, { authenticate: () => ({ ...CALLER, settings }) });
      assert.deepEqual([status, json.code], [404, 20404]);
    }
  });

  test('only the password decides; an account SID is repeated, anything else is not', async (t) => {
    const zeros = `AC${'0'.repeat(32)}`;
    const own = `AC${'1f'.repeat(16)}`;
    const request: RequestAnswer = {
      ...{ kind: 'issued', id: `ver_${'0'.repeat(32)}`, destination: NUMBER, channel: 'sms' },
    };
    for (const [user, shown] of [
      [own, own],
      [`SK${'1f'.repeat(16)}`, zeros],
      ['', zeros],
    ] as const) {
      const { status, json } = await ask(t, { request }, {}, { user });
      assert.deepEqual([status, json.account_sid, json.service_sid], [201, shown, SERVICE]);
    }
    for (const authorization of [`Bearer ${KEY}`, 'Basic', 'Basic !', basic(KEY, ''), `Basic ${btoa(KEY)}`]) {
      const { status, json, headers } = await ask(t, {}, {}, { headers: { authorization } });
      assert.deepEqual([status, json.code], [401, 20003]);
      assert.equal(headers['www-authenticate'], 'Basic realm="Countersign"');
    }
  });

  test('an Idempotency-Key is passed on, and a malformed one is refused', async (t) => {
    const { requests } = await ask(t, {}, {}, { headers: { 'idempotency-key': 'order-1' } });
    assert.deepEqual(
      requests.map(({ idempotencyKey }) => idempotencyKey),
      ['order-1'],
    );
    const { status } = await ask(t, {}, {}, { headers: { 'idempotency-key': 'é' } });
    assert.equal(status, 400);
  });

  test('a form in UTF-8 is read whatever parameters stand beside its media type', async (t) => {
    for (const parameters of ['; charset=utf8', ';charset="us-ascii"', ' ; CHARSET=UTF-8', ';']) {
      const headers = { 'content-type': `application/x-www-form-urlencoded${parameters}` };
      const { requests } = await ask(t, {}, {}, { headers });
      assert.equal(requests[0]?.destination, NUMBER, parameters);
    }
  });

  test('digits to send are an extension of a call, and mean nothing to an SMS', async (t) => {
    const to = `To=${encodeURIComponent(NUMBER)}&SendDigits=ww12`;
    const sentTo = async (channel: string) =>
      (await ask(t, {}, {}, { form: `${to}&Channel=${channel}` })).requests[0]?.destination;
    assert.equal(await sentTo('call'), `tel:${NUMBER};ext=12`);
    assert.equal(await sentTo('sms'), NUMBER);
  });

  test('a further channel is refused until a route serves it', async (t) => {
    const form = `To=${encodeURIComponent(NUMBER)}&Channel=whatsapp`;
    const closed = await ask(t, {}, {}, { form });
    assert.deepEqual([closed.status, closed.json.code, closed.requests.length], [400, 60200, 0]);
    assert.match(closed.json.message, /expected sms, call or auto$/);
    const open = await ask(t, { channels: ['sms', 'voice', 'whatsapp'] }, {}, { form });
    assert.deepEqual(
      open.requests.map(({ channel }) => channel),
      ['whatsapp'],
    );
  });

  test('a missed call is no channel here, even where a route serves it', async (t) => {
    const form = `To=${encodeURIComponent(NUMBER)}&Channel=flashcall`;
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const answer = await ask(t, { channels: ['sms', 'voice', 'flashcall'] }, {}, { form, headers });
      assert.deepEqual([answer.status, answer.json.code, answer.requests.length], [400, 60200, 0]);
      assert.match(answer.json.message, /expected sms, call or auto$/);
    }
  });

  test('a channel that no route serves any more is left to the verifier under an Idempotency-Key', async (t) => {
    const form = (channel: string) => `To=${encodeURIComponent(NUMBER)}&Channel=${channel}`;
    const headers = { 'idempotency-key': 'k' };
    const { requests } = await ask(t, {}, {}, { form: form('whatsapp'), headers });
    assert.deepEqual(
      requests.map(({ channel, idempotencyKey }) => [channel, idempotencyKey]),
      [['whatsapp', 'k']],
    );
    const other = await ask(t, {}, {}, { form: form('fax'), headers });
    assert.deepEqual([other.json.code, other.requests], [60200, []]);
    assert.match(other.json.message, /expected sms, call or auto$/);
  });

  test('a check for a number is one of that number, whatever SID comes with it', async (t) => {
    const asked: unknown[] = [];
    const numbers: HttpDeps['numbers'] = {
      check: async (_, wanted) => {
        asked.push(wanted);
        return { kind: 'unknown' };
      },
      findLive: async () => assert.fail('the number is known'),
      approve: async () => 'unknown' as const,
      cancel: async () => false,
    };
    const form = `To=${encodeURIComponent(NUMBER)}&VerificationSid=VE${'0'.repeat(32)}&Code=123456`;
    await ask(t, {}, { numbers }, { path: '/VerificationCheck', form });
    const unseen = `To=${encodeURIComponent(`\u202a${NUMBER}\u2060`)}`;
    await ask(t, {}, { numbers }, { path: '/VerificationCheck', form: `${unseen}&Code=123456` });
    assert.deepEqual(asked, [{ address: NUMBER }, { address: NUMBER }]);
    const { requests } = await ask(t, {}, {}, { form: `${unseen}&Channel=sms` });
    assert.equal(requests.length, 1);
  });

  test('feedback of a message is a verdict: confirmed is good, and unconfirmed takes it back', async (t) => {
    const said: unknown[] = [];
    const say = async (form: string, answer: FeedbackAnswer, sid = `SM${'1'.repeat(32)}`) => {
      const giveFeedback: HttpDeps['giveFeedback'] = async (_, id, verdict) => {
        said.push([id, verdict]);
        return answer;
      };
      const path = `/Messages/${sid}/Feedback.json`;
      return ask(t, {}, { giveFeedback }, { below: '/twilio/2010-04-01/Accounts/AC1', path, form });
    };
    const id = `ver_${'1'.repeat(32)}`;
    for (const [form, verdict] of [
      ['Outcome=confirmed', 'good'],
      ['Outcome=unconfirmed', null],
      ['Other=1', 'good'],
    ] as const) {
      const { status, json } = await say(form, { kind: 'given', id });
      assert.deepEqual([status, json.message_sid], [201, `SM${'1'.repeat(32)}`]);
      assert.deepEqual(said.splice(0), [[id, verdict]]);
    }
    const refused = [
      await say('Outcome=fraud', { kind: 'given', id }),
      await say('Outcome=confirmed', { kind: 'unknown' }),
      await say('Outcome=confirmed', { kind: 'given', id }, 'MM1'),
      await say('Outcome=confirmed', { kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 1 }),
      await say('Outcome=confirmed', { kind: 'limited', scope: 'account', limit: LIMIT, retryAfterMs: 1 }),
    ];
    assert.deepEqual(
      refused.map(({ status, json }) => [status, json.code]),
      [
        [400, 60200],
        [404, 20404],
        [404, 20404],
        [429, 20429],
        [429, 20429],
      ],
    );
  });

  test('a fetch beyond the limits of the key is refused', async (t) => {
    const numbers = {
      check: async () => ({ kind: 'unknown' as const }),
      findLive: async () => ({ kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 1 }) as const,
      approve: async () => 'unknown' as const,
      cancel: async () => false,
    };
    const path = `/Verifications/VE${'0'.repeat(32)}`;
    for (const form of ['', 'Status=canceled']) {
      const { status, json } = await ask(t, {}, { numbers }, { path, form });
      assert.deepEqual([status, json.code], [429, 20429]);
    }
  });

  for (const [answer, status, code] of [
    ['not-brought', 403, 60204],
    ['attempts-exhausted', 429, 60202],
    ['unknown', 404, 20404],
  ] as const) {
    test(`an approval that finds it ${answer} says so: ${status} ${code}`, async (t) => {
      const id = `ver_${'0'.repeat(32)}`;
      const found: Inquired = {
        ...{ kind: 'found', id, destination: NUMBER, channel: 'sms', progress: 'submitted', guessesLeft: 5 },
        ...{ createdAt: 0, expiresAt: 1, endedAt: null, confirmedAt: null, attempts: [] },
      };
      const numbers: HttpDeps['numbers'] = {
        check: async () => ({ kind: 'unknown' }),
        findLive: async () => found,
        approve: async () => answer,
        cancel: async () => false,
      };
      const path = `/Verifications/VE${'0'.repeat(32)}`;
      const refused = await ask(t, {}, { numbers }, { path, form: 'Status=approved' });
      assert.deepEqual([refused.status, refused.json.code], [status, code]);
    });
  }

  test('a payment is refused, not verified without its amount and payee', async (t) => {
    const numbers: HttpDeps['numbers'] = {
      check: async () => assert.fail('a code without its payment was judged'),
      findLive: async () => ({ kind: 'unknown' }),
      approve: async () => 'unknown' as const,
      cancel: async () => false,
    };
    const to = `To=${encodeURIComponent(NUMBER)}`;
    for (const [path, form] of [
      ['/Verifications', `${to}&Channel=sms`],
      ['/VerificationCheck', `${to}&Code=123456`],
    ] as const) {
      for (const payment of ['Amount=39.99', 'Payee=Acme']) {
        const { status, json } = await ask(t, {}, { numbers }, { path, form: `${form}&${payment}` });
        assert.deepEqual([status, json.code], [403, 60204], `${path} ${payment}`);
      }
    }
  });

  test('neither key nor number reaches the log', async (t) => {
    const { log } = await ask(t, { request: new Error('a bug') });
    assert.ok(log.length > 0);
    assert.doesNotMatch(JSON.stringify(log), new RegExp(`${KEY}|${btoa(`AC:${KEY}`)}|${NUMBER.slice(1)}`));
  });
});
