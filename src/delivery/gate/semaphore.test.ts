import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Semaphore } from './semaphore.ts';

const never = new AbortController();

suite('places', () => {
  test('are taken at once while some are free', () => {
    const places = new Semaphore(2);
    assert.equal(places.take(never), undefined);
    assert.equal(places.take(never), undefined);
    assert.ok(places.take(never) instanceof Promise);
  });

  test('go to the one that has waited longest', async () => {
    const places = new Semaphore(1);
    const entered: number[] = [];
    await places.take(never);
    const waiting = [1, 2, 3].map(async (n) => {
      await places.take(never);
      entered.push(n);
      places.release();
    });
    places.release();
    await Promise.all(waiting);
    assert.deepEqual(entered, [1, 2, 3]);
  });

  test('are never more than allowed, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ turns: fc.nat({ max: 3 }), abort: fc.boolean() }), { maxLength: 30 }),
        async (count, visitors) => {
          const places = new Semaphore(count);
          let inside = 0;
          let most = 0;
          const visits = visitors.map(async ({ turns, abort }) => {
            const controller = new AbortController();
            if (abort) queueMicrotask(() => controller.abort(new Error('away')));
            try {
              await places.take(controller);
            } catch {
              return;
            }
            most = Math.max(most, ++inside);
            for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
            inside--;
            places.release();
          });
          await Promise.all(visits);
          assert.ok(most <= count);
          for (let i = 0; i < count; i++) assert.equal(places.take(never), undefined);
          assert.ok(places.take(never) instanceof Promise, 'no place came from nowhere');
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a cancelled wait is told why, and takes no place', async () => {
    const places = new Semaphore(1);
    places.take(never);
    const controller = new AbortController();
    const waiting = places.take(controller);
    const next = places.take(never);
    controller.abort(new Error('deadline'));
    await assert.rejects(async () => waiting, /deadline/);
    places.release();
    await next;
    places.release();
    assert.equal(places.take(never), undefined);
  });

  test('nobody waits if the time is already over', async () => {
    const places = new Semaphore(1);
    places.take(never);
    await assert.rejects(async () => places.take({ signal: AbortSignal.abort(new Error('over')) }), /over/);
    places.release();
    assert.equal(places.take(never), undefined);
  });
});
