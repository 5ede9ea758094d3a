import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareSenders, senderOf } from './sender-of.ts';

test('the sender of a country, or the one for all others', () => {
  const chosen = senderOf({ senders: { IN: 'ACMEIN', default: 'Acme' } });
  assert.deepEqual(['IN', 'US', 'ZZ', 'constructor'].map(chosen), ['ACMEIN', 'Acme', 'Acme', 'Acme']);
  assert.equal(senderOf({ from: 'Acme', senders: { IN: 'ACMEIN' } })('US'), 'Acme');
  assert.equal(senderOf({ from: 'Acme' })('IN'), 'Acme');
});

test('each sender is prepared once, at the start', () => {
  const prepared: (string | undefined)[] = [];
  const chosen = prepareSenders({ from: 'A', senders: { IN: 'B' } }, (sender) => prepared.push(sender));
  for (let i = 0; i < 100; i++) chosen(i % 2 === 0 ? 'IN' : 'US');
  assert.deepEqual(prepared, ['A', 'B']);
});

test('a carrier that needs a sender is not made without one', () => {
  assert.throws(() => senderOf({ senders: { IN: 'ACMEIN' } }), /^Error: from: is missing/);
});
