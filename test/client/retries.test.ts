/** What the client repeats, when, and under which key; how long it waits; how it ends. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  AuthenticationError,
  ConnectionError,
  Countersign,
  CountersignError,
  InvalidRequestError,
  ServiceError,
} from '../../client/src/index.ts';
import { API_KEY, clientOf, json, lost, problem, REQUEST_ID, SENT } from './answers.ts';

const REQUEST = { destination: '+12025550123', channel: 'sms' } as const;
const STEP_MS = 50;

/** Lets time pass until the call has come to its end, and says how much did. */
async function pass<T>(t: TestContext, call: () => Promise<T>) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let ended = false;
  const outcome = call().then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  outcome.finally(() => {
    ended = true;
  });
  let elapsed = 0;
  for (; ; elapsed += STEP_MS) {
    // Bodies are read over some turns of the event loop.
    for (let turn = 0; turn < 5 && !ended; turn++) await nextTurn();
    if (ended) break;
    t.mock.timers.tick(STEP_MS);
  }
  return { ...(await outcome), elapsed };
}

for (const [what, answer] of [
  ['a lost connection', lost],
  ['a request that took too long to arrive', problem('request-timeout')],
  ['an unexpected error', problem('internal')],
  ['an overloaded service', problem('overloaded', { 'retry-after': '1' })],
  ['an unknown outcome', problem('outcome-unknown', { 'retry-after': '1' })],
  ['a proxy without a service behind it', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  [
    'an answer that was cut off',
    () => new Response('{"id":', { headers: { 'content-type': 'application/json' } }),
  ],
] as const) {
  test(`${what} is asked again, under the same Idempotency-Key`, async (t) => {
    const { countersign, asked } = clientOf([answer, answer, json(SENT)]);
    const { value, elapsed } = await pass(t, () => countersign.verify(REQUEST));
    assert.deepEqual(value, { kind: 'sent', ...SENT });
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.match(String(keys[0]), /^[!-~]{1,255}$/);
    assert.ok(elapsed >= 1_500 && elapsed <= 3_100, `${elapsed} ms`);
  });
}

test('each call has a key of its own, unless it is given one', async () => {
  const { countersign, asked } = clientOf([json(SENT)]);
  await countersign.verify(REQUEST);
  await countersign.confirm('ver_1', '123456');
  await countersign.verify(REQUEST, { idempotencyKey: 'order-7' });
  const [first, second, third] = asked.map(({ headers }) => headers.get('idempotency-key'));
  assert.notEqual(first, second);
  assert.equal(third, 'order-7');
});

for (const name of [
  'invalid-request',
  'invalid-key',
  'https-required',
  'idempotency-in-progress',
  'idempotency-key-reused',
  'quota-exceeded',
  'guarded',
] as const) {
  test(`${name} is not asked again`, async () => {
    const { countersign, asked } = clientOf([problem(name, { 'retry-after': '1' })]);
    await countersign.verify(REQUEST).catch(() => undefined);
    assert.equal(asked.length, 1);
  });
}

test('a failure that stays is thrown as what it is, with what the service said', async (t) => {
  const { countersign, asked } = clientOf([problem('unavailable', { 'retry-after': '1' })], {
    maxRetries: 1,
  });
  const { error } = await pass(t, () => countersign.confirm('ver_1', '123456'));
  assert.ok(error instanceof ServiceError && error instanceof CountersignError);
  const { status, type, title, requestId, retryAfter } = error;
  assert.deepEqual([status, type, requestId, retryAfter], [503, 'unavailable', REQUEST_ID, 1]);
  assert.equal(title, 'The service cannot do this right now');
  assert.equal(asked.length, 2);
});

test('Retry-After is kept to', async (t) => {
  const { countersign } = clientOf([problem('overloaded', { 'retry-after': '4' }), json(SENT)]);
  const { value, elapsed } = await pass(t, () => countersign.verify(REQUEST));
  assert.equal(value?.kind, 'sent');
  assert.ok(elapsed >= 4_000 && elapsed <= 6_100, `${elapsed} ms`);
});

test('a service that asks for a longer pause is not waited for', async () => {
  const { countersign, asked } = clientOf([problem('overloaded', { 'retry-after': '60' })]);
  await assert.rejects(countersign.verify(REQUEST), { name: 'ServiceError', retryAfter: 60 });
  assert.equal(asked.length, 1);
});

test('each try has its own time, and the last one says that it ran out', async (t) => {
  const { countersign, asked } = clientOf(['never'], { timeout: 2_000 });
  const { error, elapsed } = await pass(t, () => countersign.verify(REQUEST));
  assert.ok(error instanceof ConnectionError);
  assert.match(error.message, /no answer within 2000 ms/);
  assert.equal(asked.length, 3);
  assert.ok(elapsed >= 7_500 && elapsed <= 8_500, `${elapsed} ms`);
});

test('the body of an answer is part of its time', async (t) => {
  const hanging = () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
  const fetch = async (_url: string, { signal }: RequestInit) => {
    const answer = hanging();
    // As a real fetch does: aborting it ends the body.
    return Object.assign(answer, {
      text: () =>
        new Promise<string>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    });
  };
  const { countersign } = clientOf([], { fetch, maxRetries: 0, timeout: 1_000 });
  const { error } = await pass(t, () => countersign.verify(REQUEST));
  assert.ok(error instanceof ConnectionError);
});

for (const [when, answer] of [
  ['while it waits for an answer', 'never'],
  ['between two tries', lost],
] as const) {
  test(`the caller's signal ends a call at once ${when}`, async (t) => {
    // No time passes.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { countersign, asked } = clientOf([answer]);
    const controller = new AbortController();
    const call = countersign.verify(REQUEST, { signal: controller.signal });
    await nextTurn();
    controller.abort(new Error('changed my mind'));
    const ended = await Promise.race([call.catch(({ message }) => message), nextTurn('goes on')]);
    assert.equal(ended, 'changed my mind');
    assert.equal(asked.length, 1);
  });
}

test('a signal that has ended already sends nothing', async () => {
  const { countersign, asked } = clientOf([json(SENT)]);
  await assert.rejects(countersign.get('ver_1', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(asked.length, 0);
});

test('errors are told apart by their classes, and name the fields', async () => {
  const errors = [{ field: 'destination', code: 'landline', detail: 'is a landline' } as const];
  const invalid = clientOf([problem('invalid-request', {}, { errors })]).countersign;
  await assert.rejects(invalid.verify(REQUEST), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual(error.errors, errors);
    assert.equal(error.message, '400 invalid-request: destination is a landline');
    return true;
  });
  const unknown = clientOf([problem('invalid-key')]).countersign;
  await assert.rejects(unknown.verify(REQUEST), AuthenticationError);
  const moved = clientOf([() => Response.redirect('https://elsewhere.example.com')]);
  await assert.rejects(moved.countersign.verify(REQUEST), { name: 'CountersignError', status: 302 });
  assert.equal(moved.asked[0]?.init.redirect, 'manual');
  const page = clientOf([
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ]).countersign;
  await assert.rejects(page.verify(REQUEST), /200: the answer is not from a Countersign service itself/);
});

test('the limits that somebody waits for are results', async () => {
  const wait = { 'retry-after': '417' };
  for (const [name, expected] of [
    ['quota-exceeded', { kind: 'limited', limit: 'destination', retryAfter: 417 }],
    ['daily-cap-reached', { kind: 'limited', limit: 'route', retryAfter: 417 }],
    ['rate-limited', { kind: 'limited', limit: 'key', retryAfter: 417 }],
    ['guarded', { kind: 'guarded', retryAfter: 417 }],
    ['budget-exhausted', { kind: 'budget-exhausted', budget: 'account per day', retryAfter: 417 }],
  ] as const) {
    const members = name === 'budget-exhausted' ? { budget: 'account per day' } : {};
    const { countersign } = clientOf([problem(name, wait, members)]);
    assert.deepEqual(await countersign.verify(REQUEST), expected);
  }
});

test('an id cannot lead elsewhere', async () => {
  const { countersign, asked } = clientOf([problem('verification-not-found')]);
  for (const id of ['', '.', '..', '../verify', 'a/b?c#d']) {
    assert.deepEqual(await countersign.get(id), { kind: 'not-found' });
  }
  const paths = asked.map(({ url }) => new URL(url).pathname);
  assert.deepEqual(paths, ['/verifications/..%2Fverify', '/verifications/a%2Fb%3Fc%23d']);
});

for (const [option, wrong] of [
  ['apiKey', ['', 'secret', `${API_KEY}\n`, undefined]],
  [
    'baseUrl',
    ['', 'countersign.example.com', 'ftp://example.com', 'https://me:secret@example.com', undefined],
  ],
  ['fetch', ['x', null]],
  ['timeout', [0, -1, Number.NaN, Number.POSITIVE_INFINITY]],
  ['maxRetries', [-1, 1.5, 11]],
] as const) {
  test(`a bad ${option} is named, and not repeated`, () => {
    for (const value of wrong) {
      const options = { apiKey: API_KEY, baseUrl: 'https://example.com', [option]: value };
      assert.throws(
        () => new Countersign(options),
        (error) => {
          assert.ok(error instanceof TypeError);
          assert.match(error.message, new RegExp(`^${option} must be `));
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    }
  });
}

test('an Idempotency-Key that no header can hold is named, and nothing is sent', async () => {
  const { countersign, asked } = clientOf([json(SENT)]);
  for (const idempotencyKey of ['', ' ', 'käse', 'a\nb', 'x'.repeat(256)]) {
    const call = countersign.verify(REQUEST, { idempotencyKey });
    await assert.rejects(call, /^TypeError: idempotencyKey must be /);
  }
  assert.equal(asked.length, 0);
});

test('a client that is inspected does not show its key', () => {
  const { countersign } = clientOf([]);
  assert.doesNotMatch(inspect(countersign, { showHidden: true, depth: 9 }), /csk_/);
  assert.equal(JSON.stringify(countersign), '{}');
});
