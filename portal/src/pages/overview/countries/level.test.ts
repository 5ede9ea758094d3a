import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf } from './level.ts';

test('shares have levels', () => {
  assert.deepEqual(
    [0, 49, 50, 70, 84, 85, 100].map((part) => levelOf(part, 100)),
    [0, 0, 1, 2, 2, 3, 3],
  );
});

test('a share of only a few has no level, however good it looks', () => {
  assert.equal(levelOf(19, 19), undefined);
  assert.equal(levelOf(0, 0), undefined);
  assert.equal(levelOf(20, 20), 3);
});
