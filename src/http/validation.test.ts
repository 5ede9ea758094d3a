import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FieldError, FieldErrorCode } from '../core/errors/field-error.ts';
import { connectTls, createFixture, KEY, NUMBER, readToEnd } from './fixture.ts';

const VALID = JSON.stringify({ destination: NUMBER, channel: 'sms' });
const tooLarge = JSON.stringify({ destination: NUMBER, channel: 'sms', filler: 'x'.repeat(16 * 1024) });

const wrongBodies: [string, string | Buffer, FieldErrorCode, Record<string, string>?][] = [
  ['empty', '', 'not_json'],
  ['not JSON', '{"destination":', 'not_json'],
  ['an array', '[]', 'wrong_type'],
  ['null', 'null', 'wrong_type'],
  ['a string', '"sms"', 'wrong_type'],
  ['too large', tooLarge, 'too_large'],
  [
    'not UTF-8',
    Buffer.concat([Buffer.from('{"destination":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    'wrong_encoding',
  ],
  ['of another media type', VALID, 'wrong_media_type', { 'content-type': 'text/plain' }],
  ['of a malformed media type', VALID, 'wrong_media_type', { 'content-type': ';;' }],
  ['of a form', 'destination=1', 'wrong_media_type', { 'content-type': 'application/x-www-form-urlencoded' }],
  [
    'in UTF-16, as it says',
    Buffer.from(`\ufeff${VALID}`, 'utf16le'),
    'wrong_encoding',
    { 'content-type': 'application/json; charset=utf-16' },
  ],
  ['compressed', gzipSync(VALID), 'wrong_encoding', { 'content-encoding': 'gzip' }],
];

/** Of JSON none has a meaning; of media types in general: RFC 9110, 5.6.6 and 8.3.1. */
const PARAMETERS = [
  ...['; charset=utf8', '; charset=us-ascii', ';charset="iso-8859-1"', '; CHARSET=UTF-8', ' ; charset=utf-8'],
  ...[
    '; charset=',
    '; charset="',
    ';',
    '; version=1; charset=latin1',
    '; note="; charset=utf-16"; odata=verbose',
  ],
];

const wrongFields: [string, unknown, Record<string, readonly [FieldErrorCode, string]>][] = [
  ['/verify', {}, { destination: ['missing', 'is required'], channel: ['missing', 'is required'] }],
  [
    '/verify',
    { destination: 1, channel: null },
    { destination: ['wrong_type', 'must be a string'], channel: ['wrong_type', 'must be a string'] },
  ],
  [
    '/verify',
    { destination: '', channel: 'SMS' },
    {
      destination: ['too_short', 'must not be empty'],
      channel: ['not_allowed_value', 'must be one of sms,voice'],
    },
  ],
  [
    '/verify',
    { destination: '1'.repeat(301), channel: 'sms' },
    { destination: ['too_long', 'must be at most 300 characters'] },
  ],
  [
    '/verify',
    { __proto__: null, channel: ['sms'], destination: {} },
    { destination: ['wrong_type', 'must be a string'], channel: ['wrong_type', 'must be a string'] },
  ],
  ['/confirm', {}, { id: ['missing', 'is required'], code: ['missing', 'is required'] }],
  [
    '/confirm',
    { id: true, code: 123456 },
    { id: ['wrong_type', 'must be a string'], code: ['wrong_type', 'must be a string'] },
  ],
  [
    '/confirm',
    { id: 'i'.repeat(65), code: '' },
    { id: ['too_long', 'must be at most 64 characters'], code: ['too_short', 'must not be empty'] },
  ],
  [
    '/confirm',
    { id: '', code: 'c'.repeat(65) },
    { id: ['too_short', 'must not be empty'], code: ['too_long', 'must be at most 64 characters'] },
  ],
];

describe('bodies', () => {
  for (const [what, body, code, headers] of wrongBodies) {
    it(`names the body when it is ${what}: ${code}`, async (t) => {
      const { post } = await createFixture(t);
      const answer = await post('/verify', body, headers);
      assert.equal(answer.status, 400);
      assert.deepEqual(
        (answer.json.errors as FieldError[]).map(({ field, code: told }) => [field, told]),
        [['body', code]],
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
    assert.deepEqual(answer.json().errors, [
      { field: 'body', code: 'wrong_type', detail: 'must be a JSON object' },
    ]);
  });

  for (const [path, body, expected] of wrongFields) {
    it(`names ${Object.keys(expected).join(' and ')} of ${path}: ${JSON.stringify(body).slice(0, 40)}`, async (t) => {
      const { post } = await createFixture(t);
      const answer = await post(path, body);
      assert.equal(answer.status, 400);
      const errors = answer.json.errors as FieldError[];
      assert.deepEqual(
        Object.fromEntries(errors.map(({ field, code, detail }) => [field, [code, detail]])),
        expected,
      );
      assert.equal(errors.length, Object.keys(expected).length);
    });
  }

  it('reads JSON in UTF-8 whatever parameters stand beside its media type', async (t) => {
    const { post } = await createFixture(t);
    for (const parameters of PARAMETERS) {
      const headers = { 'content-type': `application/json${parameters}` };
      const { status, text } = await post('/verify', { destination: NUMBER, channel: 'sms' }, headers);
      assert.equal(status, 200, `${parameters}: ${text}`);
    }
  });

  it('accepts a charset of UTF-8, identity encoding and repeated or dangerous keys', async (t) => {
    const { post, requests } = await createFixture(t);
    const body = `{"channel":"voice","__proto__":{"destination":"x"},"constructor":{"prototype":{"a":1}},"destination":"${NUMBER}","channel":"sms"}`;
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"', 'content-encoding': 'identity' };
    assert.equal((await post('/verify', body, headers)).status, 200);
    assert.deepEqual(requests, [
      {
        destination: NUMBER,
        channel: 'sms',
        idempotencyKey: undefined,
        options: undefined,
        signals: undefined,
        metadata: undefined,
      },
    ]);
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
