import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutRefused } from './guard.ts';

test('that a look-up was paid is said where one refused', () => {
  const [closed, lookedUp] = [{ rule: 'closed:range4' }, { rule: 'lookup-line-type' }];
  assert.equal(aboutRefused([closed]), 'By place and reason, the latest first.');
  assert.match(aboutRefused([closed, lookedUp]), /A refusal by a look-up cost its question/);
});
