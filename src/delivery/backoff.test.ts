import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { backoff } from './backoff.ts';

test('doubles up to a limit, with jitter over the upper half', () => {
  fc.assert(
    fc.property(fc.nat({ max: 100_000 }), (rounds) => {
      const ceiling = Math.min(5_000, 500 * 2 ** Math.min(rounds, 20));
      const wait = backoff(rounds, SYSTEM_RANDOM);
      assert.ok(Number.isInteger(wait), 'times are whole ms everywhere');
      assert.ok(wait >= ceiling / 2 && wait <= ceiling, `${wait} ms for round ${rounds}`);
    }),
  );
});

test('messages that failed together are not retried together', () => {
  // Of 2,500 ms, 100 draws share about two; that they share ten happens once in 20,000 times.
  const waits = Array.from({ length: 100 }, () => backoff(16, SYSTEM_RANDOM));
  assert.ok(new Set(waits).size > 90);
});
