import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Waiting } from './waiting.ts';

test('what waits comes in order of time, and not before it is due', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(50), (times, now) => {
      const waiting = new Waiting<{ readonly at: number }>();
      for (const at of times) waiting.add({ at });
      const takeAll = (until: number) => {
        const taken: number[] = [];
        for (let item = waiting.takeDue(until); item !== undefined; item = waiting.takeDue(until))
          taken.push(item.at);
        return taken;
      };
      const sorted = times.toSorted((a, b) => a - b);
      assert.deepEqual(
        takeAll(now),
        sorted.filter((at) => at <= now),
      );
      assert.deepEqual(
        takeAll(100),
        sorted.filter((at) => at > now),
      );
    }),
  );
});
