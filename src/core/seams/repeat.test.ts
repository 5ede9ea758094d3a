import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from './clock.ts';
import { repeat } from './repeat.ts';

test('work is repeated after the pause that it answers, and no more once it is disposed of', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let runs = 0;
  const repeated = repeat(
    SYSTEM_CLOCK,
    10,
    async () => {
      runs += 1;
      return 100;
    },
    () => assert.fail('it did not fail'),
  );
  t.mock.timers.tick(9);
  assert.equal(runs, 0);
  t.mock.timers.tick(1);
  assert.equal(runs, 1);
  await turn();
  t.mock.timers.tick(99);
  assert.equal(runs, 1);
  t.mock.timers.tick(1);
  assert.equal(runs, 2);
  // Disposed of while the work is under way: it is not scheduled again.
  repeated[Symbol.dispose]();
  await turn();
  t.mock.timers.tick(1_000);
  assert.equal(runs, 2);
});

test('a failure is told, unless it came after the end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const told: unknown[] = [];
  let reject: (reason: string) => void = () => {};
  const work = () => new Promise<number>((_, rejected) => (reject = rejected));
  const repeated = repeat(SYSTEM_CLOCK, 0, work, (error) => {
    told.push(error);
    return 50;
  });
  t.mock.timers.tick(1);
  reject('away');
  await turn();
  assert.deepEqual(told, ['away']);
  t.mock.timers.tick(50);
  repeated[Symbol.dispose]();
  reject('closed');
  await turn();
  assert.deepEqual(told, ['away']);
});
