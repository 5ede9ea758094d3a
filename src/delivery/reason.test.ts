import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentReason } from './reason.ts';

test('what carriers say about themselves stays', () => {
  for (const reason of [
    'no answer in time',
    'ESME_RTHROTTLED (0x58)',
    'HTTP 503',
    'error 30003',
    'ECONNREFUSED',
  ])
    assert.equal(presentReason(reason), reason);
});

test('numbers of messages do not', () => {
  for (const number of ['+4915112345678', '0151 1234-5678', '(0151) 12.34.56', '482913', '48 29 13'])
    assert.doesNotMatch(presentReason(`to ${number} refused`), /\d/, number);
});

test('it is one short line', () => {
  assert.equal(presentReason('a\r\n\0 b\u2028c'), 'a b c');
  assert.equal([...presentReason('😀'.repeat(200))].length, 80);
  assert.equal(presentReason(' \n'), 'unknown');
  assert.equal(presentReason('\ud83d').isWellFormed(), true);
});
