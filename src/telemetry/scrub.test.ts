import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scrubFields, scrubText, serializeError } from './scrub.ts';

test('values of sensitive names are replaced at any depth, the others kept', () => {
  const fields = {
    requestId: 'r1',
    code: '123456',
    carrier: { name: 'smsc', Password: 'p', list: [{ to: '+1' }] },
  };
  assert.deepEqual(scrubFields(fields), {
    requestId: 'r1',
    code: '[redacted]',
    carrier: { name: 'smsc', Password: '[redacted]', list: [{ to: '[redacted]' }] },
  });
  assert.equal(fields.carrier.Password, 'p', 'the caller keeps its own');
});

test('each sensitive name hides its value, however it is written', () => {
  const names = [
    ...['authorization', 'bearer', 'body', 'code', 'cookie', 'destination', 'headers', 'key'],
    ...['number', 'password', 'query', 'recipient', 'secret', 'text', 'to', 'token'],
  ];
  for (const name of names.flatMap((each) => [each, each.toUpperCase()]))
    assert.deepEqual(scrubFields({ [name]: 'x' }), { [name]: '[redacted]' });
});

test('a value that is a number is covered, whatever its name', () => {
  const number = '+4915123456789';
  assert.deepEqual(scrubFields({ from: number, seen: [number, { by: number }] }), {
    from: '+[redacted]',
    seen: ['+[redacted]', { by: '+[redacted]' }],
  });
});

test('a line with nothing to hide costs no copy', () => {
  const fields = { method: 'POST', status: 200, nested: { ms: 1 }, none: null };
  assert.equal(scrubFields(fields), fields);
});

test('an object that holds itself ends', () => {
  const fields: Record<string, unknown> = { status: 1 };
  fields.self = fields;
  assert.match(JSON.stringify(scrubFields(fields)), /too deep/);
});

test('numbers and keys leave any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[1-9]\d{6,14}$/), fc.string(), (before, digits, after) => {
      assert.ok(!scrubText(`${before}+${digits} ${after}`).includes(`+${digits}`));
    }),
  );
  assert.equal(scrubText('/m?destination=%2B4915123456789'), '/m?destination=%2B[redacted]');
  assert.equal(scrubText('key csk_live_AbC3dE7f!'), 'key csk_live_[redacted]!');
  assert.equal(scrubText('1+1 at 1763680000000'), '1+1 at 1763680000000');
});

test('an error keeps its name, its code, its stack and its cause, without numbers', () => {
  const cause = new RangeError('no +4915123456789');
  const error = Object.assign(new Error('failed for +4915123456789', { cause }), {
    code: 'EPIPE',
    body: 'secret',
  });
  const kept = JSON.stringify(serializeError(error));
  assert.match(
    kept,
    /"name":"Error","code":"EPIPE","stack":"Error: failed for \+\[redacted\]\\n.*scrub\.test/,
  );
  assert.match(kept, /"cause":\{"name":"RangeError"/);
  assert.ok(!/49151|secret/.test(kept));
  assert.deepEqual(serializeError('+4915123456789'), { name: 'string' });
});
