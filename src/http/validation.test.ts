import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { connectTls, createFixture, KEY, NUMBER, readToEnd } from './fixture.ts';

const VALID = JSON.stringify({ destination: NUMBER, channel: 'sms' });
const tooLarge = JSON.stringify({ destination: NUMBER, channel: 'sms', filler: 'x'.repeat(16 * 1024) });

const wrongBodies: [string, string | Buffer, Record<string, string>?][] = [
  ['empty', ''],
  ['not JSON', '{"destination":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"sms"'],
  ['too large', tooLarge],
  [
    'not UTF-8',
    Buffer.concat([Buffer.from('{"destination":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  ],
  ['of another media type', VALID, { 'content-type': 'text/plain' }],
  ['of a malformed media type', VALID, { 'content-type': ';;' }],
  ['of a form', 'destination=1', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['in another charset', VALID, { 'content-type': 'application/json; charset=iso-8859-1' }],
  ['compressed', gzipSync(VALID), { 'content-encoding': 'gzip' }],
];

const wrongFields: [string, unknown, Record<string, string>][] = [
  ['/verify', {}, { destination: 'is required', channel: 'is required' }],
  [
    '/verify',
    { destination: 1, channel: null },
    { destination: 'must be a string', channel: 'must be a string' },
  ],
  [
    '/verify',
    { destination: '', channel: 'SMS' },
    { destination: 'must not be empty', channel: 'must be one of sms,voice' },
  ],
  [
    '/verify',
    { destination: '1'.repeat(301), channel: 'sms' },
    { destination: 'must be at most 300 characters' },
  ],
  [
    '/verify',
    { __proto__: null, channel: ['sms'], destination: {} },
    { destination: 'must be a string', channel: 'must be a string' },
  ],
  ['/confirm', {}, { id: 'is required', code: 'is required' }],
  ['/confirm', { id: true, code: 123456 }, { id: 'must be a string', code: 'must be a string' }],
  [
    '/confirm',
    { id: 'i'.repeat(65), code: '' },
    { id: 'must be at most 64 characters', code: 'must not be empty' },
  ],
  [
    '/confirm',
    { id: '', code: 'c'.repeat(65) },
    { id: 'must not be empty', code: 'must be at most 64 characters' },
  ],
];

describe('bodies', () => {
  for (const [what, body, headers] of wrongBodies) {
    it(`names the body when it is ${what}`, async (t) => {
      const { post } = await createFixture(t);
      const answer = await post('/verify', body, headers);
      assert.equal(answer.status, 400);
      assert.deepEqual(
        (answer.json.errors as { field: string }[]).map(({ field }) => field),
        ['body'],
      );
    });
  }

  it('names the body when there is neither a body nor a media type', async (t) => {
    const { app } = await createFixture(t);
    const answer = await app.inject({
      method: 'POST',
      url: '/verify',
      headers: { authorization: `Bearer ${KEY}` },
    });
    assert.deepEqual(answer.json().errors, [{ field: 'body', detail: 'must be a JSON object' }]);
  });

  for (const [path, body, expected] of wrongFields) {
    it(`names ${Object.keys(expected).join(' and ')} of ${path}: ${JSON.stringify(body).slice(0, 40)}`, async (t) => {
      const { post } = await createFixture(t);
      const answer = await post(path, body);
      assert.equal(answer.status, 400);
      const errors = answer.json.errors as { field: string; detail: string }[];
      assert.deepEqual(Object.fromEntries(errors.map(({ field, detail }) => [field, detail])), expected);
      assert.equal(errors.length, Object.keys(expected).length);
    });
  }

  it('accepts a charset of UTF-8, identity encoding and repeated or dangerous keys', async (t) => {
    const { post, requests } = await createFixture(t);
    const body = `{"channel":"voice","__proto__":{"destination":"x"},"constructor":{"prototype":{"a":1}},"destination":"${NUMBER}","channel":"sms"}`;
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"', 'content-encoding': 'identity' };
    assert.equal((await post('/verify', body, headers)).status, 200);
    assert.deepEqual(requests, [{ destination: NUMBER, channel: 'sms', idempotencyKey: undefined }]);
    assert.equal(Reflect.get({}, 'a'), undefined);
  });

  it('does not take a field from __proto__', async (t) => {
    const { post } = await createFixture(t);
    const answer = await post('/verify', `{"channel":"sms","__proto__":{"destination":"${NUMBER}"}}`);
    assert.equal(answer.status, 400);
  });

  it('accepts chunked bodies and 100-continue, and ignores other expectations', async (t) => {
    const { listen } = await createFixture(t);
    const port = await listen();
    const half = VALID.length / 2;
    const chunks = [VALID.slice(0, half), VALID.slice(half), ''];
    const chunked = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
    for (const expectation of ['100-continue', 'something']) {
      const socket = await connectTls(t, port);
      socket.write(
        `POST /verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: bearer ${KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nExpect: ${expectation}\r\nConnection: close\r\n\r\n${chunked}`,
      );
      const text = await readToEnd(socket);
      assert.match(text, /HTTP\/1\.1 200 OK/);
      assert.equal(text.startsWith('HTTP/1.1 100 Continue'), expectation === '100-continue');
    }
  });

  it('never fails on any JSON, bytes or header values', async (t) => {
    const { post } = await createFixture(t);
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('sms', 'voice', NUMBER, '\u0000', '\ud800'));
    const body = fc.oneof(
      fc
        .record({ destination: value, channel: value, id: value, code: value }, { requiredKeys: [] })
        .map((o) => JSON.stringify(o)),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    const visible = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCharCode(c)) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/verify', '/confirm'),
        body,
        visible,
        visible,
        async (path, bytes, type, key) => {
          const headers = {
            'content-type': type.length % 2 ? type : 'application/json',
            'idempotency-key': key,
          };
          const answer = await post(path, bytes, headers);
          assert.ok(answer.status === 200 || answer.status === 400, answer.text);
          if (answer.status === 400) assert.ok((answer.json.errors as unknown[]).length > 0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
