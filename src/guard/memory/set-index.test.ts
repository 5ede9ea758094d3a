import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { BUCKETS } from './buckets.ts';
import { nameOf } from './hash.ts';
import { SetIndex } from './set-index.ts';

/** Gives a row to each name, in the first place of its set that is free; -1 where none is. */
function fill(index: SetIndex, ways: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const { a, b } = nameOf(1, `${at}`);
    for (let way = 0; way < ways; way++) if (index.rowAt(a, way) < 0) return index.put(a, way, b);
    return -1;
  });
}

suite('rows', () => {
  test('each is of one name, and there are as many as the capacity says', () => {
    const capacities = fc.integer({ min: 3, max: 13 }).map((power) => 2 ** power);
    fc.assert(
      fc.property(capacities, fc.constantFrom(4, 8), fc.nat(100), (capacity, ways, percent) => {
        const index = new SetIndex(capacity, ways);
        const rows = fill(index, ways, Math.ceil((capacity * 20 * percent) / 100)).filter((row) => row >= 0);
        assert.equal(new Set(rows).size, rows.length);
        assert.ok(rows.every((row) => row < capacity));
        const kept = Array.from({ length: Math.min(BUCKETS, index.sets) }, (_, bucket) =>
          index.rowsOf(bucket),
        );
        assert.deepEqual(kept.flat().toSorted(), rows.toSorted());
      }),
      { numRuns: 50 },
    );
  });

  test('are found by their names, until another takes their place', () => {
    const index = new SetIndex(64, 8);
    const row = index.put(3, 0, 7);
    assert.deepEqual([index.find(3, 7), index.find(3, 8), index.find(4, 7)], [row, -1, -1]);
    assert.equal(index.put(3, 0, 8), row);
    assert.deepEqual([index.find(3, 7), index.find(3, 8)], [-1, row]);
  });

  test('a table with room for half a million takes memory for what it holds', () => {
    const highest = (count: number) =>
      fill(new SetIndex(2 ** 19, 8), 8, count).reduce((a, b) => Math.max(a, b));
    assert.ok(highest(1) === 0);
    assert.ok(highest(1_000) < 64 * 256);
    assert.ok(highest(20_000) < 100_000);
  });
});
