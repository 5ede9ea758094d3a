import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heard } from './inbound.ts';

test('only a telephone number says something, with or without its plus', () => {
  const message = { carrier: 'acme', from: '+4915112345678', text: 'STOP' };
  for (const from of ['+4915112345678', '4915112345678'])
    assert.deepEqual(heard('acme', from, 'STOP'), { kind: 'messages', messages: [message] });
  // Short codes, names, and what is no international number.
  for (const from of ['', '1234', '+1234', 'Acme', '015112345678', '1'.repeat(16), '+49151 12345678'])
    assert.deepEqual(heard('acme', from, 'STOP'), { kind: 'receipts', receipts: [] }, from);
});
