import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { asFailure } from './failure.ts';

test('a host of several addresses that all refuse is away for a reason', () => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  const failure = asFailure(refused, false);
  assert.ok(failure instanceof StoreUnavailable);
  assert.equal(failure.message, 'ECONNREFUSED');
});
