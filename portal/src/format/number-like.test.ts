import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeNumber } from './number-like.ts';

test('a full number is recognised however it is written, and nothing else that people search for is', () => {
  for (const text of [
    ...['+447700900123', '07700 900123', ' +1 (415) 555-0123 ', '44.7700.900.123', '+49 151/12345678'],
    ...[
      '+44\u200b7700\u00ad900123',
      '\u202a+447700900123\u202c',
      '+٤٤٧٧٠٠٩٠٠١٢٣',
      '+44—7700—900123',
      '+44\t7700900123',
    ],
  ]) {
    assert.ok(looksLikeNumber(text), text);
  }
  for (const text of ['23', '+44', 'key_0199a1b2c3', 'ada@example.com', '192.0.2.1', 'csk_live_12345678']) {
    assert.ok(!looksLikeNumber(text), text);
  }
});
