import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { andThen, lastly, type MaybePromise, whileAwaited } from './maybe-promise.ts';

const double = (value: number): MaybePromise<number> => 2 * value;

suite('soon', () => {
  test('a value goes on at once, without a promise', () => {
    assert.equal(andThen(3, double), 6);
  });

  test('a promise goes on when it is kept; one that is broken does not', async () => {
    const late = andThen(Promise.resolve(3), double);
    assert.ok(late instanceof Promise);
    assert.equal(await late, 6);
    await assert.rejects(async () => andThen(Promise.reject<number>(new Error('broken')), double), /broken/);
  });

  test('a broken promise goes on with what is given for it', async () => {
    const broken = Promise.reject<number>(new Error('broken'));
    assert.equal(await andThen(broken, double, (error) => (error instanceof Error ? -1 : 0)), -1);
    assert.equal(
      andThen(3, double, () => -1),
      6,
    );
  });

  test('a value may be followed by a promise', async () => {
    assert.equal(await andThen(3, async (value) => 2 * value), 6);
  });

  test('only a promise is looked after', async () => {
    let watched = 0;
    const watch = (late: Promise<number>) => {
      watched++;
      return late;
    };
    assert.equal(whileAwaited(3, watch), 3);
    assert.equal(watched, 0);
    assert.equal(await whileAwaited(Promise.resolve(3), watch), 3);
    assert.equal(watched, 1);
  });

  test('the last is done at once after a value, and after a promise whatever came of it', async () => {
    let ended = 0;
    const end = () => void ended++;
    assert.equal(lastly(3, end), 3);
    assert.equal(ended, 1);
    const kept = lastly(Promise.resolve(3), end);
    assert.equal(ended, 1);
    assert.equal(await kept, 3);
    assert.equal(ended, 2);
    await assert.rejects(async () => lastly(Promise.reject(new Error('broken')), end), /broken/);
    assert.equal(ended, 3);
  });
});
