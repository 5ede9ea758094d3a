import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeDrop } from './proportion-drop.ts';

const USUAL = { asked: 7_000, confirmed: 5_600 };

test('a share that fell by more than allowed is bad, by half of it nearly, and otherwise nothing', () => {
  const at = (confirmed: number) => judgeDrop({ asked: 1_000, confirmed }, USUAL, 0.3);
  assert.equal(at(800), undefined);
  assert.equal(at(690), undefined);
  assert.equal(at(650), 'near');
  assert.equal(at(559), 'bad');
  assert.equal(at(0), 'bad');
});

test('few requests say nothing, however they end', () => {
  assert.equal(judgeDrop({ asked: 49, confirmed: 0 }, USUAL, 0.3), undefined);
  assert.equal(judgeDrop({ asked: 1_000, confirmed: 0 }, { asked: 199, confirmed: 199 }, 0.3), undefined);
  assert.equal(judgeDrop({ asked: 0, confirmed: 0 }, USUAL, 0.3), undefined);
});

test('a share that was always low is no alarm', () => {
  assert.equal(judgeDrop({ asked: 60, confirmed: 0 }, { asked: 10_000, confirmed: 500 }, 0.3), 'near');
  assert.equal(judgeDrop({ asked: 1_000, confirmed: 0 }, { asked: 10_000, confirmed: 0 }, 0.3), undefined);
});

/** A generator that repeats itself: the test is the same at each run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('by chance there is hardly ever an alarm, at any size and any share', () => {
  let alarms = 0;
  const hours = 20_000;
  const random = createRandom(20_261_123);
  for (let hour = 0; hour < hours; hour++) {
    const share = 0.2 + 0.7 * random();
    const draw = (asked: number) => {
      let confirmed = 0;
      for (let n = 0; n < asked; n++) confirmed += Number(random() < share);
      return { asked, confirmed };
    };
    const size = 50 + Math.floor(random() * 100);
    if (judgeDrop(draw(size), draw(size * 7), 0.1) === 'bad') alarms += 1;
  }
  assert.ok(alarms <= 3, `${alarms} alarms in ${hours} hours`);
});

test('fewer confirmed never look better', () => {
  const counted = fc
    .integer({ min: 50, max: 100_000 })
    .chain((asked) =>
      fc.record({ asked: fc.constant(asked), confirmed: fc.integer({ min: 0, max: asked }) }),
    );
  const order = [undefined, 'near', 'bad'];
  fc.assert(
    fc.property(counted, counted, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (now, usual, drop) => {
      const worse = { ...now, confirmed: Math.floor(now.confirmed / 2) };
      assert.ok(order.indexOf(judgeDrop(worse, usual, drop)) >= order.indexOf(judgeDrop(now, usual, drop)));
    }),
  );
});
