import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LinkedList, type ListEntry } from './linked-list.ts';

test('holds what was added and not removed, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (steps) => {
      const list = new LinkedList<number>();
      const held: ListEntry<number>[] = [];
      const gone: ListEntry<number>[] = [];
      for (const [item, step] of steps.entries()) {
        const [entry] = held.splice(step % (held.length + 1), 1);
        if (entry === undefined) {
          held.push(list.add(item));
        } else {
          list.remove(entry);
          gone.push(entry);
        }
        for (const each of gone) list.remove(each);
        assert.deepEqual(
          [...list],
          held.map((each) => each.item),
        );
        assert.equal(list.size, held.length);
        assert.equal(list.first, held[0]);
      }
    }),
  );
});

test('the item at hand may be removed while they are gone through', () => {
  const list = new LinkedList<number>();
  const entries = [1, 2, 3].map((item) => list.add(item));
  const seen = [];
  for (const item of list) {
    seen.push(item);
    for (const entry of entries) if (entry.item === item) list.remove(entry);
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(list.size, 0);
});

test('a removed entry points to no other', () => {
  const list = new LinkedList<string>();
  const [first, second, third] = ['a', 'b', 'c'].map((item) => list.add(item));
  assert.ok(first && second && third);
  list.remove(second);
  assert.deepEqual([second.previous, second.next], [undefined, undefined]);
  assert.equal(first.next, third);
});
