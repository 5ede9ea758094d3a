import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors/store-failure.ts';
import type { ConfirmAnswer, RequestAnswer } from '../core/verification/request.ts';
import { createFixture, KEY, NUMBER } from './fixture.ts';

const VERIFY = { destination: NUMBER, channel: 'sms' };
/** What else the verifier is given. */
const NOTHING_MORE = {
  ...{ idempotencyKey: undefined, options: undefined, signals: undefined, metadata: undefined },
};
/** As long as no other number in a log: the time has digits enough to hold six of a row by chance. */
const CODE = '4711920385';
const CONFIRM = { id: 'ver_1', code: CODE };
const LIMIT = { max: 5, windowMs: 600_000 };

const refusals: [RequestAnswer | Error, number, string][] = [
  [
    { kind: 'invalid', field: 'destination', code: 'not_e164', detail: 'is no number' },
    400,
    'invalid-request',
  ],
  [{ kind: 'idempotency-mismatch' }, 422, 'idempotency-key-reused'],
  [{ kind: 'idempotency-in-progress' }, 409, 'idempotency-in-progress'],
  [{ kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 1 }, 429, 'rate-limited'],
  [{ kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 1 }, 429, 'quota-exceeded'],
  [{ kind: 'limited', scope: 'route', limit: LIMIT, retryAfterMs: 1 }, 429, 'daily-cap-reached'],
  [
    { kind: 'exhausted', budget: 'account per day', endsAt: 86_400_000, retryAfterMs: 1_001 },
    429,
    'budget-exhausted',
  ],
  [new StoreUnavailable('disk full'), 503, 'unavailable'],
  [new Error('surprise'), 500, 'internal'],
];

const failures: [ConfirmAnswer | Error, number, string][] = [
  [{ kind: 'mismatch', attemptsRemaining: 3 }, 403, 'code-mismatch'],
  [{ kind: 'attempts-exhausted' }, 403, 'attempts-exhausted'],
  [{ kind: 'expired' }, 404, 'verification-expired'],
  [{ kind: 'unknown' }, 404, 'verification-not-found'],
  [{ kind: 'already-confirmed' }, 409, 'already-confirmed'],
  [new StoreUnavailable('disk full'), 503, 'unavailable'],
  [new Error('surprise'), 500, 'internal'],
];

describe('POST /verify', () => {
  it('answers id, destination and channel, and nothing else', async (t) => {
    const { post, requests } = await createFixture(t);
    const answer = await post('/verify', { ...VERIFY, extra: { ignored: true } });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { id: 'ver_1', ...VERIFY });
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.deepEqual(requests, [{ ...VERIFY, ...NOTHING_MORE }]);
  });

  for (const [outcome, status, name] of refusals) {
    it(`answers ${status} ${name}`, async (t) => {
      const { post } = await createFixture(t, { request: outcome });
      const answer = await post('/verify', VERIFY);
      assert.equal(answer.status, status);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
      assert.equal(answer.json.status, status);
      assert.equal(answer.json.type, `/problems/${name}`);
      assert.match(String(answer.json.instance), /^urn:uuid:[0-9a-f-]{36}$/);
      assert.ok(answer.json.title && answer.json.detail);
    });
  }

  it('names the field that the rules refuse', async (t) => {
    const { post } = await createFixture(t, {
      request: { kind: 'invalid', field: 'channel', code: 'no_route', detail: 'no route' },
    });
    const answer = await post('/verify', VERIFY);
    assert.deepEqual(answer.json.errors, [{ field: 'channel', code: 'no_route', detail: 'no route' }]);
  });

  it('says which policy is violated and when to ask again, rounded up', async (t) => {
    const { post } = await createFixture(t, {
      request: { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 41_001 },
    });
    const { headers } = await post('/verify', VERIFY);
    assert.equal(headers['retry-after'], '42');
    assert.equal(headers['ratelimit-policy'], '"destination-10m";q=5;w=600');
    assert.equal(headers.ratelimit, '"destination-10m";r=0;t=42');
  });

  it('names the budget that has no room, and says when its period ends', async (t) => {
    const endsAt = Date.UTC(2026, 11);
    const request = { kind: 'exhausted', budget: 'account per month', endsAt, retryAfterMs: 1_001 } as const;
    const { post } = await createFixture(t, { request });
    const { headers, json } = await post('/verify', VERIFY);
    assert.equal(headers['retry-after'], '2');
    assert.equal(headers.ratelimit, undefined);
    assert.equal(json.budget, 'account per month');
    assert.match(String(json.detail), /`account per month` has no room .* until 2026-12-01T00:00Z/);
  });

  it('hands a valid idempotency key on and names an invalid one together with the other faults', async (t) => {
    const { post, requests } = await createFixture(t);
    const key = `"${'k'.repeat(253)}"`;
    assert.equal((await post('/verify', VERIFY, { 'idempotency-key': key })).status, 200);
    assert.equal(requests[0]?.idempotencyKey, key);
    const alone = await post('/verify', VERIFY, { 'idempotency-key': 'a b' });
    assert.deepEqual(
      (alone.json.errors as { field: string }[]).map(({ field }) => field),
      ['Idempotency-Key'],
    );
    for (const invalid of ['', 'a b', 'é', 'k'.repeat(256)]) {
      const answer = await post('/verify', { destination: 1 }, { 'idempotency-key': invalid });
      assert.equal(answer.status, 400);
      assert.deepEqual((answer.json.errors as { field: string }[]).map(({ field }) => field).sort(), [
        'Idempotency-Key',
        'channel',
        'destination',
      ]);
    }
  });
});

describe('POST /confirm', () => {
  it('answers id, destination, channel and the time', async (t) => {
    const { post } = await createFixture(t);
    const answer = await post('/confirm', CONFIRM);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { id: 'ver_1', ...VERIFY, confirmed_at: '2026-01-02T00:00:00.000Z' });
  });

  for (const [outcome, status, name] of failures) {
    it(`answers ${status} ${name}`, async (t) => {
      const { post } = await createFixture(t, { confirm: outcome });
      const answer = await post('/confirm', CONFIRM);
      assert.equal(answer.status, status);
      assert.equal(answer.json.type, `/problems/${name}`);
      assert.equal(answer.json.attempts_remaining, name === 'code-mismatch' ? 3 : undefined);
      assert.equal(answer.headers['retry-after'], status === 503 ? '1' : undefined);
    });
  }
});

describe('the order of checks', () => {
  it('is 401 before 400', async (t) => {
    const { post } = await createFixture(t);
    assert.equal((await post('/verify', '{', { authorization: 'Bearer wrong' })).status, 401);
  });

  it('is overload before the key, which would have to be looked up, and before the body', async (t) => {
    const authenticate = () => assert.fail('a key was looked up');
    const { post } = await createFixture(t, {}, { authenticate, findNotReady: () => 'overloaded' });
    for (const path of ['/verify', '/confirm']) {
      const answer = await post(path, '{');
      assert.equal(answer.status, 503);
      assert.equal(answer.json.type, '/problems/overloaded');
      assert.equal(answer.headers['retry-after'], '1');
    }
  });

  it('is 503 when the key cannot be looked up', async (t) => {
    const authenticate = () => Promise.reject(new StoreUnavailable('away'));
    const { post } = await createFixture(t, {}, { authenticate });
    assert.equal((await post('/verify', VERIFY)).json.type, '/problems/unavailable');
  });

  it('says why it is 503 in the log, in a line that is the same for each request', async (t) => {
    for (const Kind of [StoreUnavailable, OutcomeUnknown]) {
      const { post, log } = await createFixture(t, { request: new Kind('disk full') });
      await post('/verify', VERIFY);
      const told = log.find(({ msg }) => msg === 'requests are answered 503');
      assert.equal(Object(told?.error).message, 'disk full');
      assert.ok(told !== undefined && !('requestId' in told));
    }
  });
});

describe('what no route answers', () => {
  it('is 404 for an unknown path, whatever its body', async (t) => {
    const { post, app } = await createFixture(t);
    assert.equal((await post('/nothing', '{')).json.type, '/problems/not-found');
    assert.equal((await post('/verify/', VERIFY, { 'content-type': 'text/csv' })).status, 404);
    assert.equal((await app.inject('/verification?destination=%2B12025550123')).statusCode, 404);
  });

  it('is 405 with Allow for a wrong method', async (t) => {
    const { app } = await createFixture(t);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'QUERY', 'PROPFIND', 'TRACE']) {
      const answer = await app.inject({ method: method as 'GET', url: '/verify?a=b' });
      assert.equal(answer.statusCode, 405, method);
      assert.equal(answer.headers.allow, 'POST');
      assert.equal(answer.headers['content-type'], 'application/problem+json');
    }
    for (const path of ['/healthz', '/metrics', '/docs', '/simulator/messages', '/problems/internal']) {
      const answer = await app.inject({ method: 'POST', url: path, payload: {} });
      assert.equal(answer.statusCode, 405, path);
      assert.equal(answer.headers.allow, 'GET, HEAD');
    }
  });

  it('is 400 for a URL that cannot be decoded', async (t) => {
    const { app, log } = await createFixture(t);
    const answer = await app.inject('/%zz?destination=+12025550123');
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().type, '/problems/malformed-http');
    assert.equal(log.length, 1);
  });
});

describe('what is logged about a request', () => {
  it('is one line and one count, with the route, the status and the key’s id', async (t) => {
    const { post, log, answered } = await createFixture(t, { confirm: { kind: 'expired' } });
    const { json } = await post('/confirm', CONFIRM);
    assert.equal(log.length, 1);
    const { requestId, method, route, status, keyId, problem } = log[0] ?? {};
    assert.equal(json.instance, `urn:uuid:${requestId}`);
    assert.deepEqual(
      { method, route, status, keyId, problem },
      { method: 'POST', route: '/confirm', status: 404, keyId: 'key_1', problem: 'verification-expired' },
    );
    assert.deepEqual(
      answered.map(({ route, status }) => ({ route, status })),
      [{ route: '/confirm', status: 404 }],
    );
  });

  it('never holds a number, a code, a key, a query or what an error says', async (t) => {
    class Leak extends Error {
      override readonly name = 'Leak';
    }
    const { post, log, app } = await createFixture(t, {
      request: new Leak(`no route for ${NUMBER}\n    at ${NUMBER}`),
      confirm: new Leak(`guessed ${CODE}`),
    });
    const texts = [
      (await post('/verify', VERIFY)).text,
      (await post('/confirm', CONFIRM)).text,
      (await app.inject(`/simulator/messages?destination=%2B12025550123`)).body,
      (await app.inject(`/unknown/${NUMBER}?code=${CODE}`)).body,
      (await post('/verify', `{"destination":"${NUMBER}","channel":"${NUMBER}"`)).text,
      (await post('/verify', { destination: [NUMBER], channel: NUMBER })).text,
    ];
    const written = texts.join() + JSON.stringify(log);
    for (const secret of ['2025550123', CODE, KEY]) assert.ok(!written.includes(secret), secret);
    const reported = log.find(({ msg }) => msg === 'unexpected error')?.error as Record<string, string>;
    assert.equal(reported.name, 'Leak');
    assert.match(String(reported.stack), /at .*server\.test\.ts/);
  });
});
