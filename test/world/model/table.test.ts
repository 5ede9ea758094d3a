import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePhoneNumber } from 'libphonenumber-js/max';
import { MAGIC, masked, POOL, planOf, rateOf, reasonsOf } from './table.ts';

test('the countries and types of the pool are those of the numbering plans', () => {
  for (const to of [...POOL, ...MAGIC]) {
    const { country, type } = planOf(to);
    const it = parsePhoneNumber(to);
    assert.equal(it.isValid(), type !== 'invalid', to);
    if (type === 'invalid') continue;
    assert.equal(it.country, country, to);
    const types = {
      mobile: ['MOBILE', 'FIXED_LINE_OR_MOBILE'],
      landline: ['FIXED_LINE'],
      personal: ['PERSONAL_NUMBER'],
    };
    assert.ok(types[type].includes(it.getType() ?? ''), `${to} is ${it.getType()}`);
  }
});

test('rates and masks are read and written as documented', () => {
  assert.deepEqual(rateOf('5/10m'), { most: 5, window: 600_000 });
  assert.equal(masked('+14155550177'), '+1••••••••77');
  assert.equal(masked('+4915112345678'), '+49•••••••••78');
});

test('an answer that no document knows stands for nothing', () => {
  const answer = { status: 418, body: { type: '/problems/teapot' }, headers: {} };
  assert.deepEqual(reasonsOf(answer, 'rest'), []);
  assert.deepEqual(reasonsOf({ ...answer, status: 404, body: { code: 60202 } }, 'twilio'), []);
  assert.deepEqual(reasonsOf({ ...answer, status: 429, body: { type: '/problems/rate-limited' } }, 'rest'), [
    ['rate-limited'],
  ]);
});
