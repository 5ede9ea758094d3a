import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOfLine, isOfLine, MOST_PREDECESSORS, predecessorsOfNext } from './succession.ts';

test('a key knows what it came from, and nothing after it', () => {
  const first = { keyId: 'a' };
  const second = { keyId: 'b', predecessors: predecessorsOfNext(first) };
  const third = { keyId: 'c', predecessors: predecessorsOfNext(second) };
  assert.deepEqual(third.predecessors, ['a', 'b']);
  assert.deepEqual([first, second, third].map(firstOfLine), ['a', 'a', 'a']);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => isOfLine(second, id)),
    [true, true, false, false],
  );
});

test('however often a key is rotated, it keeps the first and the latest', () => {
  let key = { keyId: 'key_0', predecessors: predecessorsOfNext({ keyId: 'origin' }) };
  for (let n = 1; n <= MOST_PREDECESSORS + 3; n++)
    key = { keyId: `key_${n}`, predecessors: predecessorsOfNext(key) };
  assert.equal(key.predecessors.length, MOST_PREDECESSORS);
  assert.deepEqual(
    [key.predecessors[0], key.predecessors.at(-1)],
    ['origin', `key_${MOST_PREDECESSORS + 2}`],
  );
});
