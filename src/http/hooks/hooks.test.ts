/** What becomes of requests, system by system, in a server with stand-ins behind it. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { globSync } from 'node:fs';
import { suite, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { ROOT, readProjectFile } from '../../../test/deploy/project.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../core/errors/store-failure.ts';
import {
  HOOK_SYSTEMS,
  type HookOptions,
  type HookSystem,
  type Hooks,
  signs,
} from '../../core/hooks/system.ts';
import type { RequestAnswer } from '../../core/verification/request.ts';
import { createFixture, KEY, NUMBER, type VerifierAnswers } from '../fixture.ts';
import type { HttpDeps } from '../server.ts';

const CODE = '4711920385';
const SECRET = `whsec_${'abcdefgh'.repeat(4)}`;
const LIMIT = { max: 5, windowMs: 600_000 };

/** A body of each system that sends the API key, with the names of its two fields. */
const BODIES = {
  logto: ['to', 'payload/code', { to: NUMBER, payload: { code: CODE } }],
  fusionauth: ['phoneNumber', 'code', { phoneNumber: NUMBER, code: CODE }],
  casdoor: ['phoneNumber', 'content', { phoneNumber: NUMBER, content: CODE }],
  authentik: ['To', 'Body', { To: NUMBER, Body: CODE }],
  kratos: ['to', 'code', { to: NUMBER, code: CODE }],
  keycloak: ['phone', 'message', { phone: NUMBER, message: CODE }],
} as const satisfies Partial<Record<HookSystem, readonly [number: string, code: string, body: object]>>;
const KRATOS = BODIES.kratos[2];

const optionsOf = (system: HookSystem): HookOptions => ({
  ...{ system, key: KEY },
  ...(signs(system) && { secret: SECRET }),
});
const ALL: Hooks = Object.fromEntries(HOOK_SYSTEMS.map((system) => [system, optionsOf(system)]));

/** Time for what is under way in this process. */
async function turns(): Promise<void> {
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Requests of systems, without their bodies; signed over them where they sign. */
const asSystem = (name: string, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
  ({
    method: 'POST',
    url: `/hooks/${name}`,
    headers: { 'content-type': 'application/json', ...headers },
  }) as const;
/** What Standard Webhooks adds, under one of its two names. The time is read once: it may not be another second that is signed. */
const signed = (prefix: 'webhook' | 'svix', body: string, at = new Date()) => ({
  [`${prefix}-id`]: 'msg_1',
  [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
  [`${prefix}-signature`]: new Webhook(SECRET).sign('msg_1', at, body),
});
const asSupabase = (body: string) => asSystem('supabase', signed('webhook', body));
const asClerk = (body: string) => asSystem('clerk', signed('svix', body));
const asAuthgear = (body: string) =>
  asSystem('authgear', {
    'x-authgear-body-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
  });

async function open(
  t: TestContext,
  answers: VerifierAnswers = {},
  hooks = ALL,
  deps: Partial<HttpDeps> = {},
) {
  return createFixture(t, answers, deps, { hooks });
}

suite('hooks', () => {
  test('nothing of them is loaded without one: they are behind one import()', () => {
    const importing = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/http/hooks/**'] }).filter((file) =>
      /from '[^']*\/http\/hooks\/|from '\.\/hooks\//.test(readProjectFile(file)),
    );
    assert.deepEqual(importing, []);
    assert.match(readProjectFile('src/http/server.ts'), /await import\('\.\/hooks\/index\.ts'\)/);
  });

  test('without any configured, there is no path', async (t) => {
    const { post } = await createFixture(t);
    assert.equal((await post('/hooks/kratos', KRATOS)).status, 404);
  });

  for (const [system, [number, code, body]] of Object.entries(BODIES)) {
    test(`${system}: what is asked of the verifier, and what is missing is named`, async (t) => {
      const { app, post, requests } = await open(t);
      assert.equal((await post(`/hooks/${system}`, body)).status, 200);
      const [asked] = requests;
      assert.deepEqual(
        [asked?.destination, asked?.channel, asked?.options],
        [NUMBER, 'sms', { customCode: CODE, template: undefined, locale: undefined }],
      );
      assert.equal(asked?.idempotencyKey, `hook\0${system}\0sms\0${NUMBER}\0${CODE}`);
      assert.equal(asked?.repetitionMs, 30_000, 'later, a person asks again');
      assert.equal(asked?.checkedElsewhere, true);
      for (const field of [number, code]) {
        const name = field.split('/').at(-1);
        const without = JSON.stringify(body, (each, value) => (each === name ? undefined : value));
        const answer = await app.inject({ ...asSystem(system), payload: without });
        assert.equal(answer.statusCode, 400);
        assert.ok(answer.body.includes(field) && answer.body.includes('is required'), answer.body);
      }
    });
  }

  test('a body is read whatever its media type says, with whatever parameters', async (t) => {
    const { app } = await open(t);
    const json = JSON.stringify(KRATOS);
    const form = new URLSearchParams(KRATOS).toString();
    for (const [type, payload] of [
      ...['application/json; charset=utf8', 'application/json;charset="us-ascii"', 'text/plain'].map(
        (each) => [each, json] as const,
      ),
      ...['; charset=utf8', ' ; CHARSET="iso-8859-1"', ';'].map(
        (each) => [`application/x-www-form-urlencoded${each}`, form] as const,
      ),
    ]) {
      const request = asSystem('kratos', { authorization: `Bearer ${KEY}`, 'content-type': type });
      const { statusCode, body } = await app.inject({ ...request, payload });
      assert.equal(statusCode, 200, `${type}: ${body}`);
    }
  });

  const outcomes: readonly (readonly [RequestAnswer | Error, number, string, string | undefined])[] = [
    [{ kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 700 }, 429, 'rate-limited', '1'],
    [
      { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 9_000 },
      429,
      'quota-exceeded',
      '9',
    ],
    [{ kind: 'limited', scope: 'route', limit: LIMIT, retryAfterMs: 5_000 }, 429, 'daily-cap-reached', '5'],
    [{ kind: 'exhausted', budget: 'b', endsAt: 0, retryAfterMs: 5_000 }, 429, 'budget-exhausted', '5'],
    [{ kind: 'guarded', retryAfterMs: 60_000 }, 429, 'guarded', '60'],
    [{ kind: 'unanswered', retryAfterMs: 5_000 }, 503, 'unavailable', '5'],
    [{ kind: 'idempotency-in-progress' }, 503, 'unavailable', '1'],
    [{ kind: 'idempotency-mismatch' }, 422, 'idempotency-key-reused', undefined],
    [
      { kind: 'invalid', field: 'destination', code: 'landline', detail: 'no' },
      400,
      'invalid-request',
      undefined,
    ],
    [new StoreUnavailable('full'), 503, 'unavailable', '1'],
    [new OutcomeUnknown('cut'), 503, 'outcome-unknown', '1'],
    [new Error('a bug'), 500, 'internal', undefined],
  ];
  for (const [request, status, problem, retryAfter] of outcomes) {
    const kind = request instanceof Error ? request.message : request.kind;
    test(`${kind}: ${status} ${problem}`, async (t) => {
      const { post } = await open(t, { request });
      const answer = await post('/hooks/kratos', KRATOS);
      assert.deepEqual([answer.status, answer.json.type], [status, `/problems/${problem}`]);
      assert.equal(answer.headers['retry-after'], retryAfter);
    });
  }

  const landline: RequestAnswer = {
    ...{ kind: 'invalid', field: 'destination', code: 'landline', detail: 'is a landline' },
  };

  test('authentik shows people a sentence', async (t) => {
    const { app } = await open(t, { request: landline });
    const answer = await app.inject({
      ...asSystem('authentik'),
      payload: JSON.stringify(BODIES.authentik[2]),
    });
    assert.deepEqual([answer.statusCode, answer.body], [400, 'To: is a landline']);
    assert.match(String(answer.headers['content-type']), /^text\/plain/);
  });

  test('Supabase shows people what comes with 200, and tries again after 503', async (t) => {
    const body = JSON.stringify({ sms: { phone: NUMBER.slice(1), otp: CODE } });
    const ask = async (request: RequestAnswer | Error, deps?: Partial<HttpDeps>) => {
      const { app, requests, log } = await open(t, { request }, ALL, deps);
      const answer = await app.inject({ ...asSupabase(body), payload: body });
      await turns();
      const { problem } = log.at(-1) ?? {};
      return { requests, status: answer.statusCode, headers: answer.headers, json: answer.json(), problem };
    };
    const refused = await ask(landline);
    assert.deepEqual([refused.requests[0]?.destination, refused.requests[0]?.repetitionMs], [NUMBER, 30_000]);
    assert.deepEqual(
      [refused.status, refused.json, refused.problem],
      [200, { error: { http_code: 400, message: 'sms/phone: is a landline' } }, 'invalid-request'],
    );
    const guarded = await ask({ kind: 'guarded', retryAfterMs: 9_000 });
    assert.deepEqual(guarded.json, {
      error: { http_code: 429, message: 'Temporarily not sending to this destination' },
    });
    const unusable = await ask(landline, { authenticate: () => 'expired' });
    assert.deepEqual([unusable.status, unusable.json.error.http_code], [200, 500]);
    const away = await ask(new StoreUnavailable('full'));
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '1']);
    const underWay = await ask({ kind: 'idempotency-in-progress' });
    assert.deepEqual([underWay.status, underWay.headers['retry-after']], [503, '1']);
  });

  test('Authgear is told in its own words', async (t) => {
    const body = JSON.stringify({ to: NUMBER, language_tag: 'pt-BR', template_variables: { code: CODE } });
    const ask = async (request: RequestAnswer | undefined) => {
      const { app, requests } = await open(t, request === undefined ? {} : { request });
      const answer = await app.inject({ ...asAuthgear(body), payload: body });
      return { requests, status: answer.statusCode, code: answer.json().code };
    };
    const sent = await ask(undefined);
    assert.deepEqual([sent.status, sent.code, sent.requests[0]?.options?.locale], [200, 'ok', 'pt-BR']);
    const refused = await ask(landline);
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_phone_number']);
    const guarded = await ask({ kind: 'guarded', retryAfterMs: 1 });
    assert.deepEqual([guarded.status, guarded.code], [429, 'rate_limited']);
    const permission = await ask({ ...landline, field: 'options/custom_code', code: 'not_permitted' });
    assert.deepEqual([permission.status, permission.code], [400, 'unsupported_request']);
  });

  test('what the hook says counts more than what its system says', async (t) => {
    const fusionauth: HookOptions = { ...optionsOf('fusionauth'), channel: 'sms' };
    const logto: HookOptions = { ...optionsOf('logto'), locale: 'de' };
    const { post, requests } = await open(t, {}, { fusionauth, logto, plain: optionsOf('logto') });
    await post('/hooks/fusionauth', { ...BODIES.fusionauth[2], type: 'Voice' });
    const inFrench = { to: NUMBER, payload: { code: CODE, locale: 'fr' } };
    for (const name of ['logto', 'plain']) await post(`/hooks/${name}`, inFrench);
    assert.deepEqual(
      requests.map(({ channel, options }) => [channel, options?.locale]),
      [
        ['sms', undefined],
        ['sms', 'de'],
        ['sms', 'fr'],
      ],
    );
  });

  test('of Clerk’s events, only fresh codes that it does not send itself are sent', async (t) => {
    const { app, requests } = await open(t);
    const data = { to_phone_number: NUMBER, message: `${CODE} is your code`, delivered_by_clerk: false };
    const event = { type: 'sms.created', timestamp: Date.now(), data };
    const ask = async (changed: object) => {
      const body = JSON.stringify({ ...event, ...changed });
      return (await app.inject({ ...asClerk(body), payload: body })).statusCode;
    };
    assert.equal(await ask({ type: 'user.created' }), 204);
    assert.equal(await ask({ data: { ...data, delivered_by_clerk: true } }), 204);
    assert.equal(await ask({ timestamp: Date.now() - 601_000 }), 204);
    assert.equal(requests.length, 0);
    assert.equal(await ask({}), 200);
    assert.deepEqual(
      [requests[0]?.options?.customCode, requests[0]?.idempotencyKey],
      [CODE, 'hook\0clerk\0sms\0msg_1'],
    );
    assert.equal(requests[0]?.repetitionMs, undefined, 'the id of a message tells its tries from another');
  });

  test('an unknown or revoked key of a hook is its operator’s affair', async (t) => {
    const { post, log } = await open(t, {}, ALL, { authenticate: () => 'unknown' });
    const answer = await post('/hooks/kratos', KRATOS);
    assert.deepEqual([answer.status, answer.json.type], [401, '/problems/invalid-key']);
    assert.match(String(answer.json.detail), /The operator sets it under `hooks`/);
    assert.ok(log.some(({ hook, reason }) => hook === 'kratos' && reason === 'unknown'));
  });

  test('is shed like everything else', async (t) => {
    const { post } = await open(t, {}, ALL, { findNotReady: () => 'overloaded' });
    const answer = await post('/hooks/kratos', KRATOS);
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '1']);
  });

  test('a body is bounded', async (t) => {
    const { post } = await open(t);
    const answer = await post('/hooks/kratos', { ...KRATOS, more: 'x'.repeat(65_536) });
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [400, [{ field: 'body', code: 'too_large', detail: 'is too large' }]],
    );
  });

  test('those that come while the first is under way get its answer', async (t) => {
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    const { post, requests } = await open(t, { request: promise });
    const answers = Promise.all([1, 2, 3].map(() => post('/hooks/kratos', KRATOS)));
    const another = post('/hooks/kratos', { ...KRATOS, code: '1234' });
    await turns();
    resolve({ kind: 'issued', id: 'ver_7', destination: NUMBER, channel: 'sms' });
    assert.deepEqual(
      (await answers).map(({ json }) => json),
      [{ id: 'ver_7' }, { id: 'ver_7' }, { id: 'ver_7' }],
    );
    await another;
    assert.equal(requests.length, 2);
    await post('/hooks/kratos', KRATOS);
    assert.equal(requests.length, 3, 'later ones are found by the store');
  });

  test('whatever JSON comes, it is answered, and nothing of it comes back or is logged', async (t) => {
    const request: RequestAnswer = { kind: 'invalid', field: 'destination', code: 'not_e164', detail: 'no' };
    const { app, log } = await open(t, { request });
    const name = fc.constantFrom(
      'to',
      'To',
      'code',
      'Body',
      'phone',
      'phoneNumber',
      'message',
      'content',
      'payload',
      'type',
    );
    const leaf = fc.constantFrom(NUMBER, NUMBER.slice(1), CODE, `${CODE} is the code`, '', null, 0, true);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(name, tie('tree')),
      ),
    }));
    const payload = fc.oneof(tree, fc.dictionary(name, leaf)).map((value) => JSON.stringify(value));
    const text = fc.oneof(
      payload,
      fc.string(),
      payload.map((json) => json.slice(1)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(BODIES)), text, async (system, body) => {
        const answer = await app.inject({ ...asSystem(system), payload: body });
        assert.equal(answer.statusCode, 400);
        assert.doesNotMatch(answer.body, new RegExp(`${NUMBER.slice(1)}|${CODE}`));
      }),
      { numRuns: 500 },
    );
    assert.ok(log.length >= 400);
    assert.doesNotMatch(JSON.stringify(log), new RegExp(`${NUMBER.slice(1)}|${CODE}|${KEY}`));
  });
});
