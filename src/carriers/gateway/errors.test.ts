import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeError } from './errors.ts';

test('an unknown error is shown as a short number or name, and not if it may hold a telephone number', () => {
  const answer = { status: 400, headers: {}, body: '' };
  const reasonOf = (code: string) => {
    const { outcome } = judgeError({}, code, answer, 0);
    return 'reason' in outcome ? outcome.reason : undefined;
  };
  assert.equal(reasonOf('21999'), 'HTTP 400, error 21999');
  assert.equal(reasonOf('no_such_route'), 'HTTP 400, error no_such_route');
  for (const code of ['4915112345678', '+12025550123', 'to 12025550123', 'code 482913', 'x'.repeat(61), '']) {
    assert.equal(reasonOf(code), 'HTTP 400', code);
  }
});
