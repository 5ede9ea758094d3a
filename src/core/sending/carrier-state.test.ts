import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresOf, stateNameOf } from '../lookups/lookup-state.ts';
import { MAX_AHEAD_MS } from '../seams/clock.ts';
import { OPERATORS_FAULT } from './carrier.ts';
import { LINK_DOWN, STANDS_MS, troubleOf } from './carrier-state.ts';

const NOW = Date.UTC(2026, 10, 30);

for (const [trouble, reason] of [
  ['refuses-settings', `${OPERATORS_FAULT}HTTP 401`],
  ['no-link', `${LINK_DOWN}refused`],
] as const) {
  const at = (time: number) => troubleOf({ breaker: 'closed', lastError: { reason, at: time } }, NOW);

  test(`${trouble}: an error counts for a while, also where the clocks of two nodes differ`, () => {
    assert.equal(at(NOW - 60_000), trouble);
    assert.equal(at(NOW + MAX_AHEAD_MS), trouble);
    assert.equal(at(NOW - STANDS_MS), undefined);
  });

  test(`${trouble}: what a clock that was ahead dated is old`, () => {
    assert.equal(at(NOW + MAX_AHEAD_MS + 1), undefined);
  });
}

test('a look-up without an answer is told for a while, and not for as long as a clock was ahead', () => {
  const told = (at: number) =>
    failuresOf(
      [
        {
          node: 'n',
          carrier: stateNameOf('lines'),
          breaker: 'closed',
          lastError: { reason: 'HTTP 500', at },
          at: NOW,
        },
      ],
      'lines',
      NOW,
    ).length;
  assert.deepEqual([NOW - STANDS_MS + 1, NOW - STANDS_MS, NOW + 3_600_000].map(told), [1, 0, 0]);
});
