import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRanges, parseRange } from './range.ts';

test('a range is the beginning of numbers, and no number of a person', () => {
  assert.deepEqual(parseRange(' +882 13 '), { ok: true, prefix: '+88213' });
  assert.deepEqual(parseRange('+1'), { ok: true, prefix: '+1' });
  assert.deepEqual(parseRange('\u200b+88\u00ad2/१३\ufeff'), { ok: true, prefix: '+88213' });
  for (const text of [
    '',
    '88213',
    '+',
    '+0123',
    '+88213*',
    'sip:a@example.com',
    '+1234567890',
    '+49 151 12345678',
  ])
    assert.equal(parseRange(text).ok, false, text);
  const whole = parseRange('+29022222');
  assert.ok(!whole.ok && whole.detail.includes('add it as a number'), 'a whole number of Saint Helena');
});

test('a destination is in a range by what rings there', () => {
  const ranges = ['+88213', '+3725'];
  assert.equal(isInRanges(ranges, '+88213123456'), true);
  assert.equal(isInRanges(ranges, 'tel:+3725123456;ext=7'), true);
  assert.equal(isInRanges(ranges, '+88113123456'), false);
  assert.equal(isInRanges(ranges, 'sip:+88213123456@example.com'), false);
  assert.equal(isInRanges([], '+88213123456'), false);
});
