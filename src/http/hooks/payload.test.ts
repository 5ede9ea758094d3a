import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDestination } from '../../core/destination/destination.ts';
import { HOOK_SYSTEMS } from '../../core/hooks/system.ts';
import { codeIn, firstTextAt, hookText, readFields } from './payload.ts';
import { readWanted } from './systems.ts';

const faultOf = (read: {
  readonly ok: boolean;
  readonly fault?: { readonly field: string; readonly code: string };
}) => (read.ok || read.fault === undefined ? undefined : `${read.fault.field} ${read.fault.code}`);

test('a body is a JSON object, or a form', () => {
  const read = (text: string | Buffer, type?: string) => readFields(type, Buffer.from(text));
  const form = 'application/x-www-form-urlencoded; charset=utf-8';
  assert.deepEqual(read('{"a":1}'), { ok: true, value: { a: 1 } });
  assert.deepEqual(read('a=%2B1+2&b=', form), { ok: true, value: { a: '+1 2', b: '' } });
  assert.equal(faultOf(read('')), 'body not_json');
  assert.equal(faultOf(read('{')), 'body not_json');
  assert.equal(faultOf(read('[{}]')), 'body wrong_type');
  assert.equal(faultOf(read(Buffer.from([0x22, 0xff, 0x22]))), 'body wrong_encoding');
});

test('the field that is wrong is named', () => {
  const fields = { a: { b: 'x', long: 'x'.repeat(1_001), none: null, empty: '' }, text: 'x' };
  assert.deepEqual(hookText(fields, 'a/b'), { ok: true, value: 'x' });
  for (const [path, fault] of [
    ['c', 'c missing'],
    ['c/b', 'c/b missing'],
    ['a/c', 'a/c missing'],
    ['a/none', 'a/none missing'],
    ['a', 'a wrong_type'],
    ['text/b', 'text wrong_type'],
    ['a/b/c', 'a/b wrong_type'],
    ['a/empty', 'a/empty too_short'],
    ['a/long', 'a/long too_long'],
    // Nothing is read that is not the object's own.
    ['toString', 'toString missing'],
    ['__proto__/a', '__proto__/a missing'],
  ] as const) {
    assert.equal(faultOf(hookText(fields, path)), fault);
  }
});

test('of several places the first that is there is read, also if it is wrong', () => {
  const read = (fields: object) => firstTextAt({ ...fields }, ['a', 'b']);
  assert.deepEqual(read({ a: 'x', b: 'y' }), { ok: true, value: 'x', path: 'a' });
  assert.deepEqual(read({ a: null, b: 'y' }), { ok: true, value: 'y', path: 'b' });
  assert.equal(faultOf(read({ a: 1, b: 'y' })), 'a wrong_type');
  assert.equal(faultOf(read({})), 'a missing');
});

test('the code in a text is its only number of that length', () => {
  for (const [text, code] of [
    ['123456', '123456'],
    ['Your SMS code is 123456 and is valid for 5 minutes.', '123456'],
    ['Ihr Code: 0042.', '0042'],
    ['123456 is your code\n@example.com #123456', '123456'],
    ['您的验证码是123456，5分钟内有效。', '123456'],
    ['Call 112', undefined],
    ['Code 123456, or 654321', undefined],
    ['12345678901', undefined],
    ['A12345', undefined],
  ] as const) {
    assert.equal(
      faultOf(codeIn(text, 'message')),
      code === undefined ? 'message wrong_format' : undefined,
      text,
    );
    if (code !== undefined) assert.deepEqual(codeIn(text, 'message'), { ok: true, value: code });
  }
});

test('a language is passed on if it is one', () => {
  for (const [tag, locale] of [
    ['pt-br', 'pt-BR'],
    ['zh-Hant-HK', 'zh-Hant-HK'],
    ['not a language', undefined],
    ['x-private', undefined],
    ['', undefined],
  ] as const) {
    const fields = { to: '+12025550123', language_tag: tag, template_variables: { code: '1234' } };
    const read = readWanted('authgear', fields, {}, 0);
    assert.ok(read.ok);
    assert.equal(read.value?.locale, locale);
  }
});

test('a number without its plus gets it, also behind what nobody sees', () => {
  for (const phone of ['4915112345678', '\u200b49\u00ad15112345678', ' 49 151/12345678', '٤٩15112345678']) {
    const read = readWanted('supabase', { sms: { phone, otp: '1234' } }, {}, 0);
    assert.ok(read.ok && read.value !== undefined);
    const parsed = parseDestination(read.value.number, 'sms');
    assert.equal(parsed.ok && parsed.destination.address, '+4915112345678', phone);
  }
});

test('of FusionAuth, a voice message is a call', () => {
  const read = (type: string) => {
    const wanted = readWanted('fusionauth', { phoneNumber: '+1', code: '1', type }, {}, 0);
    return wanted.ok ? wanted.value?.channel : undefined;
  };
  assert.deepEqual([read('Voice'), read('SMS')], ['voice', undefined]);
});

test('no JSON makes a reader throw, and no fault repeats what it holds', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...HOOK_SYSTEMS),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (system, fields) => {
        const read = readWanted(system, fields, {}, 0);
        // Clerk’s other events are no fault. A random body is never a message.
        if (read.ok) assert.equal(read.value, undefined);
        else assert.match(read.fault.field, /^[a-zA-Z_/]+$/);
      },
    ),
    { numRuns: 1_000 },
  );
});
