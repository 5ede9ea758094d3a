/** Quality routing in a simulated world, each course with one seed. `node test/routing/courses.ts` has more, and other routers. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { a, b, COURSES, c, dyingAt, healthy, lost, percent, run, shareOf, VERIFICATIONS } from './courses.ts';
import { ours } from './routers.ts';
import type { TrueCarrier } from './world.ts';

suite('quality routing, simulated', () => {
  for (const [name, { carriers, from }] of Object.entries(COURSES)) {
    test(`${name}: within 5 % of a perfect router over 10,000`, async () => {
      const loss = lost(await run(carriers, 1, ours, from), from);
      assert.ok(loss < 0.05, percent(loss));
    });
  }

  for (const perSecond of [0.1, 50]) {
    test(`within 5 % at ${perSecond} verifications a second too`, async (t) => {
      const course = await run([dyingAt(5_000, a), b, c], 1, ours, 5_000, perSecond);
      t.diagnostic(`the best falls silent after 5,000: lost ${percent(lost(course, 5_000))}`);
      assert.ok(lost(course, 5_000) < 0.05);
    });
  }

  test('far worse alternatives are no reason to stay with a silent carrier', async (t) => {
    const course = await run(
      [dyingAt(5_000, healthy('a', 0.95)), healthy('b', 0.7), healthy('c', 0.6)],
      1,
      ours,
      5_000,
    );
    t.diagnostic(`lost ${percent(lost(course, 5_000))}`);
    assert.ok(lost(course, 5_000) < 0.05);
  });

  test('a silent carrier is still tried, but rarely', async () => {
    const course = await run([a, dyingAt(0, b), c], 1, ours);
    const late = shareOf(course, 'b', 5_000, VERIFICATIONS);
    assert.ok(late > 0 && late < 0.01, percent(late));
  });

  test('a carrier that delivers again gets its messages back', async () => {
    const back: TrueCarrier = { ...healthy('b', 0.97), rate: (at) => (at < 3_000 ? 0 : 0.97) };
    const course = await run([a, back, c], 1, ours);
    const late = shareOf(course, 'b', 8_000, VERIFICATIONS);
    assert.ok(late > 0.5, percent(late));
  });

  test('of two equal carriers the faster one gets more', async () => {
    const slow: TrueCarrier = { ...healthy('b', 0.92), median: 45_000 };
    const course = await run([a, slow, dyingAt(0, c)], 1, ours);
    const [quick, slower] = ['a', 'b'].map((name) => shareOf(course, name, 2_000, VERIFICATIONS));
    assert.ok((quick ?? 0) > 1.5 * (slower ?? 1), `${quick} ${slower}`);
  });
});
