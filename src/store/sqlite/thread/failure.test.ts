import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { packFailure, unpackFailure } from './failure.ts';

const cross = (error: unknown) => unpackFailure(JSON.parse(JSON.stringify(packFailure(error))), '/data');

test('an error crosses to the event loop with what it says, where, and its result code', () => {
  const thrown = Object.assign(new Error('UNIQUE constraint failed: t.a'), { errcode: 2067 });
  const error = cross(thrown);
  assert.ok(!(error instanceof StoreUnavailable) && 'errcode' in error);
  assert.deepEqual([error.message, error.errcode, error.stack], [thrown.message, 2067, thrown.stack]);
  assert.equal(cross('thrown').message, 'thrown');
});

test('one that makes the store unavailable crosses as that, with its result code', () => {
  const error = cross(Object.assign(new Error('database or disk is full'), { errcode: 13 }));
  assert.ok(error instanceof StoreUnavailable);
  assert.ok('errcode' in error);
  assert.deepEqual([error.message, error.errcode], ['database or disk is full', 13]);
});
