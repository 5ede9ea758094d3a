/**
 * Quality routing in a simulated world; docs/routing.md holds the figures. Three carriers confirm 92, 90 and 91 of a
 * hundred codes, two verifications a second, half of the confirmations within 12 s. Each course is run with the seeds 1 to 5.
 */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { epsilonGreedy, ours, type RouterMaker, uncorrected, upperConfidence } from './routers.ts';
import { type Course, seeded, simulate, type TrueCarrier } from './world.ts';

const SEEDS = [1, 2, 3, 4, 5];
const VERIFICATIONS = 10_000;
const NAMES = ['a', 'b', 'c'] as const;
const MEDIAN = 12_000;
const PER_SECOND = 2;

const healthy = (name: string, rate: number): TrueCarrier => ({ name, rate: () => rate, median: MEDIAN });
const dyingAt = (index: number, carrier: TrueCarrier): TrueCarrier => ({
  ...carrier,
  rate: (at) => (at < index ? carrier.rate(at) : 0),
});
const [a, b, c] = [healthy('a', 0.92), healthy('b', 0.9), healthy('c', 0.91)];

/** The best carrier gradually loses a fifth of its confirmations. */
const failing: TrueCarrier = { ...a, rate: (at) => 0.92 * (1 - (0.2 * Math.min(at, 5_000)) / 5_000) };

const COURSES: Readonly<Record<string, { carriers: readonly TrueCarrier[]; watched: string; from: number }>> =
  {
    'one is silent from the start': { carriers: [a, dyingAt(0, b), c], watched: 'b', from: 0 },
    'the best falls silent after 5,000': { carriers: [dyingAt(5_000, a), b, c], watched: 'a', from: 5_000 },
    'the best slowly fails': { carriers: [failing, b, c], watched: 'a', from: 0 },
  };

async function run(
  carriers: readonly TrueCarrier[],
  seed: number,
  make: RouterMaker,
  from = 0,
  perSecond = PER_SECOND,
): Promise<Course> {
  const world = { carriers, verifications: from + VERIFICATIONS, perSecond, seed };
  return simulate(world, make(NAMES, seeded(seed + 1_000)));
}

/** Share of the verifications in a range that went to a carrier. */
function shareOf({ chosen }: Course, carrier: string, from: number, to: number): number {
  const within = chosen.slice(from, to);
  return within.filter((name) => name === carrier).length / within.length;
}

const count = (values: readonly boolean[], from: number) => values.slice(from).filter(Boolean).length;
/** Share of a perfect router's confirmations that were lost, from a given verification on. */
const lost = ({ confirmed, confirmedAtBest }: Course, from = 0) =>
  1 - count(confirmed, from) / count(confirmedAtBest, from);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

async function report(t: TestContext, name: string, make: RouterMaker): Promise<number[]> {
  const course = COURSES[name];
  assert.ok(course);
  const { carriers, watched, from } = course;
  const courses: Course[] = [];
  for (const seed of SEEDS) courses.push(await run(carriers, seed, make, from));
  const windows = [
    [0, 100],
    [100, 1_000],
    [1_000, 5_000],
    [5_000, VERIFICATIONS],
  ].map(([begin = 0, end = 0]) => {
    const shares = courses.map((each) => shareOf(each, watched, from + begin, from + end));
    return `${begin} to ${end}: ${percent(mean(shares))}`;
  });
  const losses = courses.map((each) => lost(each, from));
  t.diagnostic(
    `${name}: share to it, ${windows.join(', ')}; lost ${percent(mean(losses))}, at most ${percent(Math.max(...losses))}`,
  );
  return losses;
}

suite('quality routing, simulated', () => {
  for (const name of Object.keys(COURSES)) {
    test(`${name}: within 5 % of a perfect router over 10,000`, async (t) => {
      for (const loss of await report(t, name, ours)) assert.ok(loss < 0.05, percent(loss));
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

  for (const [name, make] of Object.entries({ epsilonGreedy, upperConfidence, uncorrected })) {
    test(`${name}, for comparison`, async (t) => {
      for (const course of Object.keys(COURSES)) await report(t, course, make);
    });
  }
});
