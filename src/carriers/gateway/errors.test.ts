import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS_FAULT } from '../../core/sending/carrier.ts';
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

test('without a known error, a status that is the same for every message is for the operator to put right', () => {
  for (const status of [301, 307, 401, 402, 403, 404, 405, 406, 407, 410, 415]) {
    const { outcome, complaint } = judgeError({}, undefined, { status, headers: {}, body: '' }, 0);
    assert.ok(outcome.kind === 'temporary' && outcome.reason.startsWith(`${OPERATORS_FAULT}HTTP ${status}`));
    assert.equal(complaint?.level, 'error');
  }
  for (const status of [400, 409, 422]) {
    const { outcome, complaint } = judgeError({}, undefined, { status, headers: {}, body: '' }, 0);
    assert.deepEqual([outcome.kind, complaint?.level], ['permanent', 'warn']);
  }
});
