import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createPace } from './pace.ts';

const never = new AbortController();

suite('pace', () => {
  test('without a rate nobody waits', () => {
    const pace = createPace(undefined);
    for (let i = 0; i < 100; i++) assert.equal(pace(never), undefined);
  });

  test('the first goes at once, a burst behind it waits', async () => {
    const pace = createPace({ max: 100, windowMs: 1_000 });
    assert.equal(pace(never), undefined);
    const controller = new AbortController();
    const burst = [pace(controller), pace(controller)];
    for (const wait of burst) assert.ok(wait instanceof Promise);
    controller.abort();
    await Promise.allSettled(burst);
  });

  test('messages are spaced evenly, in their order', async () => {
    const pace = createPace({ max: 100, windowMs: 1_000 });
    const begun = performance.now();
    const order: number[] = [];
    const sends = Array.from({ length: 6 }, async (_, i) => {
      await pace(never);
      order.push(i);
      return performance.now() - begun;
    });
    const times = await Promise.all(sends);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    // A timer may fire late, never before its time but for its rounding to whole ms.
    for (const [i, time] of times.entries()) assert.ok(time > i * 10 - 2, `${i} went after ${time} ms`);
  });

  test('time in which nothing was sent is not saved up', async () => {
    const pace = createPace({ max: 100, windowMs: 1_000 });
    await pace(never);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(pace(never), undefined);
    const controller = new AbortController();
    const wait = pace(controller);
    assert.ok(wait instanceof Promise);
    controller.abort();
    await wait.catch(() => undefined);
  });

  test('who waits can be called off', async () => {
    const pace = createPace({ max: 1, windowMs: 3_600_000 });
    const controller = new AbortController();
    const waits = [pace(controller), pace(controller)];
    controller.abort();
    await assert.rejects(async () => waits[1], { name: 'AbortError' });
    await Promise.allSettled(waits);
  });

  test('the first goes at once however slow the rate, and however young the process', async () => {
    const pace = createPace({ max: 1, windowMs: 86_400_000 });
    const controller = new AbortController();
    const wait = pace(controller);
    controller.abort();
    await wait?.catch(() => undefined);
    assert.equal(wait, undefined);
  });
});
