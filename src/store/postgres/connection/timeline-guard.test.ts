import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimelineGuard } from './timeline-guard.ts';

function guardAt() {
  const clock = { at: 0 };
  return { clock, guard: new TimelineGuard(() => clock.at, 60_000) };
}

test('a server on an older timeline is refused, on the same or a newer one not', () => {
  const { guard } = guardAt();
  const kinds = [3, 3, 4, 3, 4, 5].map((timeline) => guard.judge(timeline, false).kind);
  assert.deepEqual(kinds, ['newest', 'newest', 'newest', 'left-behind', 'newest', 'newest']);
});

test('an older one is used once nothing newer was there for a minute', () => {
  const { clock, guard } = guardAt();
  guard.judge(2, false);
  clock.at += 600_000;
  assert.deepEqual(guard.judge(1, false), { kind: 'left-behind', newest: 2 });
  clock.at += 59_999;
  assert.equal(guard.judge(1, false).kind, 'left-behind');
  guard.served();
  clock.at += 59_999;
  assert.equal(guard.judge(1, false).kind, 'left-behind', 'the newer one was used meanwhile');
  clock.at += 60_000;
  assert.deepEqual(guard.judge(1, false), { kind: 'reinstated', newest: 2 });
  assert.equal(guard.judge(1, false).kind, 'newest');
});

test('an older one is used at once if it is the only primary that is left', () => {
  const { guard } = guardAt();
  guard.judge(2, false);
  assert.equal(guard.judge(1, true).kind, 'reinstated');
});
