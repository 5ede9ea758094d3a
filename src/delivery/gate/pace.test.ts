import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { createPace } from './pace.ts';

const never = new AbortController();

suite('pace', () => {
  test('without a rate nobody waits', () => {
    const pace = createPace('c', undefined, { clock: SYSTEM_CLOCK });
    for (let i = 0; i < 100; i++) assert.equal(pace(never), undefined);
  });

  test('the first message goes at once; a burst after it waits', async () => {
    const pace = createPace('c', { max: 1, windowMs: 3_600_000 }, { clock: SYSTEM_CLOCK });
    assert.equal(pace(never), undefined);
    const controller = new AbortController();
    const burst = [pace(controller), pace(controller)];
    for (const wait of burst) assert.ok(wait instanceof Promise);
    controller.abort();
    await Promise.allSettled(burst);
  });

  test('messages are spaced evenly, in their order', async (t) => {
    const pace = createPace('c', { max: 100, windowMs: 1_000 }, { clock: SYSTEM_CLOCK });
    const begun = performance.now();
    // All come at one time. Should the process be stopped meanwhile, a later one would go at once, before timers that are due.
    const arrival = t.mock.method(performance, 'now', () => begun);
    const order: number[] = [];
    const sends = Array.from({ length: 6 }, async (_, i) => {
      await pace(never);
      order.push(i);
      return performance.now() - begun;
    });
    arrival.mock.restore();
    const times = await Promise.all(sends);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    // A timer may fire late, and early only by its rounding to whole ms.
    for (const [i, time] of times.entries()) assert.ok(time > i * 10 - 2, `${i} went after ${time} ms`);
  });

  test('time in which nothing was sent is not saved up', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const pace = createPace('c', { max: 100, windowMs: 1_000 }, { clock: SYSTEM_CLOCK });
    await pace(never);
    now += 50;
    assert.equal(pace(never), undefined);
    const controller = new AbortController();
    const wait = pace(controller);
    assert.ok(wait instanceof Promise);
    controller.abort();
    await wait.catch(() => undefined);
  });

  test('a wait can be cancelled', async () => {
    const pace = createPace('c', { max: 1, windowMs: 3_600_000 }, { clock: SYSTEM_CLOCK });
    const controller = new AbortController();
    const waits = [pace(controller), pace(controller)];
    controller.abort();
    await assert.rejects(async () => waits[1], { name: 'AbortError' });
    await Promise.allSettled(waits);
  });

  test('the first message goes at once, however slow the rate and however new the process', async () => {
    const pace = createPace('c', { max: 1, windowMs: 86_400_000 }, { clock: SYSTEM_CLOCK });
    const controller = new AbortController();
    const wait = pace(controller);
    controller.abort();
    await wait?.catch(() => undefined);
    assert.equal(wait, undefined);
  });

  suite('with a budget shared by nodes', () => {
    const rate = { max: 100, windowMs: 1_000 };
    /** A schedule shared by several paces, as in a store. */
    function schedule() {
      const asked: number[] = [];
      const firsts: number[] = [];
      let next = 0;
      const reserve = async (_carrier: string, spacingMs: number, count: number) => {
        asked.push(count);
        await new Promise((resolve) => setImmediate(resolve));
        const now = performance.now();
        const first = Math.max(next, now);
        firsts.push(first);
        next = first + count * spacingMs;
        return first - now;
      };
      return { asked, firsts, budget: { reserve } };
    }

    test('the spacing holds over all of them', async () => {
      const { budget, firsts } = schedule();
      const nodes = [1, 2, 3].map(() => createPace('c', rate, { clock: SYSTEM_CLOCK, budget }));
      const sent: number[] = [];
      await Promise.all(
        Array.from({ length: 30 }, async (_, i) => {
          await nodes[i % 3]?.(never);
          sent.push(performance.now());
        }),
      );
      // From the first place on, not from the first message, which may be late. A timer fires early only by its rounding.
      const begun = Math.min(...firsts);
      for (const [place, at] of sent.toSorted((a, b) => a - b).entries()) {
        assert.ok(at - begun > place * 10 - 2, `${place} went after ${at - begun} ms`);
      }
    });

    test('a place counts from when it was given, however long that took', async () => {
      let given = 0;
      const reserve = async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        given = performance.now();
        return 20;
      };
      await createPace('c', rate, { clock: SYSTEM_CLOCK, budget: { reserve } })(never);
      const waited = performance.now() - given;
      assert.ok(waited > 20 - 2, `${waited} ms`);
    });

    test('messages that arrive during a reservation share the next one', async () => {
      const { budget, asked } = schedule();
      const pace = createPace('c', rate, { clock: SYSTEM_CLOCK, budget });
      await Promise.all(Array.from({ length: 5 }, () => pace(never)));
      assert.deepEqual(asked, [1, 4]);
    });

    test('a crowd asks for a hundred at a time, and everybody gets a turn', async () => {
      const { budget, asked } = schedule();
      const pace = createPace('c', { max: 1_000_000, windowMs: 1_000 }, { clock: SYSTEM_CLOCK, budget });
      await Promise.all(Array.from({ length: 250 }, () => pace(never)));
      assert.deepEqual(asked, [1, 100, 100, 49]);
    });

    test('without an answer no message goes, and the next ones ask again', async () => {
      let away = true;
      const { budget } = schedule();
      const reserve = (...order: [string, number, number]) =>
        away ? Promise.reject(new StoreUnavailable('away')) : budget.reserve(...order);
      const pace = createPace('c', rate, { clock: SYSTEM_CLOCK, budget: { reserve } });
      // The second and the third ask together.
      const outcomes = await Promise.allSettled([pace(never), pace(never), pace(never)]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected', 'rejected'],
      );
      away = false;
      await pace(never);
    });
  });
});
