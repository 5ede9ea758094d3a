import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, faultyFields, freshNumber, problemOf, wrongCode } from './client.ts';
import { openTarget } from './target.ts';

const { client, testKey } = await openTarget();

const limited = { key: testKey };

/** Every problem that can be provoked without limits of one's own. */
const PROBLEMS: readonly [name: string, status: number, provoke: () => Promise<Answer>][] = [
  ['invalid-request', 400, () => client.post('/verify', {})],
  ['unauthenticated', 401, () => client.post('/verify', {}, { key: null })],
  ['invalid-key', 401, () => client.post('/confirm', {}, { key: 'nonsense' })],
  ['code-mismatch', 403, async () => guess(1)],
  ['attempts-exhausted', 403, async () => guess(6)],
  ['verification-not-found', 404, () => client.confirm('nonsense', '123456')],
  ['already-confirmed', 409, confirmTwice],
  ['idempotency-key-reused', 422, reuseIdempotencyKey],
  ['quota-exceeded', 429, () => client.verify('+15005550006', 'sms', limited)],
  ['not-found', 404, () => client.get('/nowhere?destination=%2B4915112345678')],
  ['method-not-allowed', 405, () => client.send('PUT', '/verify', {})],
];

for (const [name, status, provoke] of PROBLEMS) {
  test(`${status} ${name} is a problem document`, async () => {
    const answer = await provoke();
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/);
    const { type, title, status: member, detail, instance } = answer.json;
    assert.equal(problemOf(answer), name);
    assert.equal(member, status);
    for (const text of [type, title, detail, instance]) assert.equal(typeof text, 'string', answer.text);
    assert.doesNotMatch(instance ?? '', /\?|%2B/, 'no query and no number');
    assert.doesNotMatch(answer.text, /4915112345678/);
    const page = await client.get(new URL(type ?? '', 'https://localhost/').pathname, { key: null });
    assert.equal(page.status, 200, `${type} can be read`);
  });
}

const good = () => ({ destination: freshNumber(), channel: 'sms' });
const typed = (type: string, raw: string | Buffer = JSON.stringify(good())) =>
  ({ raw, headers: { 'content-type': type } }) as const;

/** Bodies that are wrong as a whole. */
const BODIES: Readonly<Record<string, { raw: string | Buffer; headers?: Record<string, string> }>> = {
  'malformed JSON': { raw: '{"destination":' },
  'an empty body': { raw: '' },
  'an array': { raw: '[]' },
  'a string': { raw: '"+4915112345678"' },
  'a number': { raw: '7' },
  null: { raw: 'null' },
  'invalid UTF-8': { raw: Buffer.from('{"destination":"\xff\xfe","channel":"sms"}', 'latin1') },
  'a body over the limit': { raw: JSON.stringify({ ...good(), extra: 'x'.repeat(70_000) }) },
  'text/plain': typed('text/plain'),
  'a form': typed('application/x-www-form-urlencoded', 'destination=%2B4915112345678&channel=sms'),
  XML: typed('application/xml', '<destination/>'),
  'UTF-16': {
    raw: Buffer.from(JSON.stringify(good()), 'utf16le'),
    headers: { 'content-type': 'application/json; charset=utf-16' },
  },
  'no media type': typed(''),
  'a compressed body': { raw: JSON.stringify(good()), headers: { 'content-encoding': 'gzip' } },
};

for (const path of ['/verify', '/confirm']) {
  for (const [what, options] of Object.entries(BODIES)) {
    test(`${path}: 400 naming the body for ${what}`, async () => {
      const answer = await client.post(path, undefined, options);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultyFields(answer), ['body']);
      assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/);
    });
  }
}

test('JSON in UTF-8 is accepted however it is announced', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
  ]) {
    const answer = await client.post('/verify', undefined, typed(type));
    assert.equal(answer.status, 200, `${type}: ${answer.text}`);
  }
});

test('unknown routes are 404 problems', async () => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['POST', '/v1/verify'],
    ['POST', '/verify/x'],
    ['GET', '/verify.php'],
    ['GET', '/%00'],
    ['GET', '/../../etc/passwd'],
  ] as const) {
    const answer = await client.send(method, path);
    assert.equal(answer.status, 404, `${method} ${path}`);
    assert.equal(problemOf(answer), 'not-found');
  }
});

for (const [path, allowed] of [
  ['/verify', 'POST'],
  ['/confirm', 'POST'],
  ['/simulator/messages', 'GET'],
  ['/healthz', 'GET'],
  ['/openapi.json', 'GET'],
] as const) {
  test(`${path}: 405 names what is allowed`, async () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== allowed);
    for (const method of others) {
      const answer = await client.send(method, path);
      assert.equal(answer.status, 405, `${method} ${path}`);
      const { allow = '' } = answer.headers;
      const names = allow.split(/,\s*/);
      assert.ok(names.includes(allowed) && !names.includes(method), allow);
      assert.equal(problemOf(answer), 'method-not-allowed');
    }
  });
}

async function guess(times: number): Promise<Answer> {
  const { id, code } = await client.issue(freshNumber());
  for (let i = 1; i < times; i++) await client.confirm(id, wrongCode(code));
  return client.confirm(id, wrongCode(code));
}

async function confirmTwice(): Promise<Answer> {
  const { id, code } = await client.issue(freshNumber());
  await client.confirm(id, code);
  return client.confirm(id, code);
}

async function reuseIdempotencyKey(): Promise<Answer> {
  const headers = { 'idempotency-key': `reused-${freshNumber()}` };
  await client.verify(freshNumber(), 'sms', { headers });
  return client.verify(freshNumber(), 'sms', { headers });
}
