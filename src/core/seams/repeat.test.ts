import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timer } from './clock.ts';
import { repeat } from './repeat.ts';

/** One timer at a time, due when the test says so. A mock of `setTimeout` would hold for all that shares the process. */
function createTimers() {
  let planned: { readonly ms: number; readonly call: () => void } | undefined;
  return {
    after(ms: number, call: () => void): Timer {
      assert.equal(planned, undefined);
      const mine = { ms, call };
      planned = mine;
      const timer: Timer = {
        unref: () => timer,
        [Symbol.dispose]() {
          if (planned === mine) planned = undefined;
        },
      };
      return timer;
    },
    planned: () => planned?.ms,
    due() {
      const { call } = planned ?? assert.fail('no timer is set');
      planned = undefined;
      call();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work is repeated after the pause that it answers, and no more once it is disposed of', async () => {
  const timers = createTimers();
  let runs = 0;
  const repeated = repeat(
    timers,
    10,
    async () => {
      runs += 1;
      return 100;
    },
    () => assert.fail('it did not fail'),
  );
  assert.deepEqual([runs, timers.planned()], [0, 10]);
  timers.due();
  assert.equal(runs, 1);
  await turn();
  assert.equal(timers.planned(), 100);
  timers.due();
  assert.equal(runs, 2);
  // Disposed of while the work is under way: it is not scheduled again.
  repeated[Symbol.dispose]();
  await turn();
  assert.equal(timers.planned(), undefined);
});

test('work that is disposed of while it waits is not done', () => {
  const timers = createTimers();
  const repeated = repeat(
    timers,
    10,
    () => assert.fail('it is over'),
    () => assert.fail('it did not fail'),
  );
  repeated[Symbol.dispose]();
  assert.equal(timers.planned(), undefined);
});

test('a failure is told, unless it came after the end', async () => {
  const timers = createTimers();
  const told: unknown[] = [];
  let reject: (reason: string) => void = () => {};
  const work = () => new Promise<number>((_, rejected) => (reject = rejected));
  const repeated = repeat(timers, 0, work, (error) => {
    told.push(error);
    return 50;
  });
  timers.due();
  reject('away');
  await turn();
  assert.deepEqual([told, timers.planned()], [['away'], 50]);
  timers.due();
  repeated[Symbol.dispose]();
  reject('closed');
  await turn();
  assert.deepEqual(told, ['away']);
});
