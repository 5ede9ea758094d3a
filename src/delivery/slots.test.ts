import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Slots } from './slots.ts';

test('holds what was added and not removed, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (steps) => {
      const slots = new Slots<{ step: number }>();
      const held = new Map<number, { step: number }>();
      for (const step of steps) {
        const [slot] = [...held.keys()].slice(step % (held.size + 1));
        if (slot === undefined) {
          const item = { step };
          const added = slots.add(item);
          assert.ok(!held.has(added));
          held.set(added, item);
        } else {
          slots.remove(slot);
          held.delete(slot);
        }
        assert.equal(slots.size, held.size);
        assert.deepEqual(new Set(slots), new Set(held.values()));
      }
    }),
  );
});
