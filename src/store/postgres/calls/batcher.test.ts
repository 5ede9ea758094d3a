import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknown, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { Batcher } from './batcher.ts';

const DATABASE = { machine: SYSTEM_CLOCK, patienceMs: 4_500 };

/** A batcher that records its batches and answers each call with itself. */
function recorder(answer: (calls: readonly string[]) => Promise<readonly (string | undefined)[]>) {
  const batches: string[][] = [];
  const batcher = new Batcher<string, string>(DATABASE, {
    inFlight: 1,
    keyOf: (call) => (call.startsWith('-') ? null : (call[0] ?? null)),
    run: async (calls) => {
      batches.push([...calls]);
      return answer(calls);
    },
  });
  return { batches, batcher };
}

test('calls made while a batch is under way form the next', async () => {
  const { batches, batcher } = recorder(async (calls) => calls);
  const first = ['-1', '-2'].map((call) => batcher.add(call));
  await new Promise((resolve) => setImmediate(resolve));
  const second = ['-3', '-4'].map((call) => batcher.add(call));
  assert.deepEqual(await Promise.all([...first, ...second]), ['-1', '-2', '-3', '-4']);
  assert.deepEqual(batches, [
    ['-1', '-2'],
    ['-3', '-4'],
  ]);
});

test('calls of one key go one after another, in their order, and hold nobody else up', async () => {
  const { batches, batcher } = recorder(async (calls) => calls);
  await Promise.all(['a1', 'a2', '-', 'b1', 'a3', '-'].map((call) => batcher.add(call)));
  assert.deepEqual(batches, [['a1', '-', 'b1', '-'], ['a2'], ['a3']]);
});

test('a batch is bounded', async () => {
  const { batches, batcher } = recorder(async (calls) => calls);
  await Promise.all(Array.from({ length: 450 }, () => batcher.add('-')));
  assert.deepEqual(
    batches.map(({ length }) => length),
    [200, 200, 50],
  );
});

test('a call that must come again comes with the next batch', async () => {
  let turn = 0;
  const { batches, batcher } = recorder(async (calls) =>
    turn++ === 0 ? calls.map((call, i) => (i === 0 ? call : undefined)) : calls,
  );
  assert.deepEqual(await Promise.all(['-1', '-2', '-3'].map((call) => batcher.add(call))), [
    '-1',
    '-2',
    '-3',
  ]);
  assert.deepEqual(batches, [
    ['-1', '-2', '-3'],
    ['-2', '-3'],
  ]);
});

test('a call that fails fails alone', async () => {
  const { batcher } = recorder(async (calls) => {
    if (calls.includes('-bad')) throw new Error('bad');
    return calls;
  });
  const calls = [...Array.from({ length: 20 }, (_, i) => `-${i}`), '-bad', '-last'];
  const outcomes = await Promise.allSettled(calls.map((call) => batcher.add(call)));
  const failed = calls.filter((_, i) => outcomes[i]?.status === 'rejected');
  assert.deepEqual(failed, ['-bad']);
});

test('when the database is away, those that wait behind are told as well', async () => {
  const { batches, batcher } = recorder(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new StoreUnavailable('away');
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 700 }, () => batcher.add('-')));
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
  }
  assert.equal(batches.length, 1);
});

test('when the outcome of a batch is unknown, those that wait behind it know that nothing was done', async () => {
  const { batcher } = recorder(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new OutcomeUnknown('cut');
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 700 }, () => batcher.add('-')));
  const names = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.name);
  assert.deepEqual(names, [...Array(200).fill('OutcomeUnknown'), ...Array(500).fill('StoreUnavailable')]);
});

test('a batch whose calls were all told meanwhile is not sent', async () => {
  const sizes: number[] = [];
  const batcher = new Batcher<string, string>(DATABASE, {
    inFlight: 2,
    run: async (calls) => {
      sizes.push(calls.length);
      throw new StoreUnavailable('away');
    },
  });
  await Promise.allSettled(Array.from({ length: 250 }, () => batcher.add('-')));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sizes, [200]);
});
