import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProofFresh } from './session.ts';

const NOW = Date.UTC(2026, 10, 22);
const MINUTE = 60_000;

test('a proof from the future does not count, but another node may be a little ahead', () => {
  const isFresh = (provenAt: number) => isProofFresh({ provenAt }, NOW);
  assert.deepEqual([NOW - 10 * MINUTE + 1, NOW, NOW + 2 * MINUTE].map(isFresh), [true, true, true]);
  assert.deepEqual([NOW - 10 * MINUTE, NOW + 2 * MINUTE + 1].map(isFresh), [false, false]);
});
