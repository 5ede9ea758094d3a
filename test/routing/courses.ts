/**
 * The courses of carriers that routers are measured by; docs/routing.md holds the figures. Three carriers confirm 92, 90 and 91 of a
 * hundred codes, two verifications a second, half of the confirmations within 12 s. `node test/routing/courses.ts` runs each course with
 * the seeds 1 to 5, for the service's own router and for those that it is compared with.
 */
import { epsilonGreedy, ours, type RouterMaker, uncorrected, upperConfidence } from './routers.ts';
import { type Course, seeded, simulate, type TrueCarrier } from './world.ts';

export const VERIFICATIONS = 10_000;
const NAMES = ['a', 'b', 'c'] as const;
const MEDIAN = 12_000;
const PER_SECOND = 2;

export const healthy = (name: string, rate: number): TrueCarrier => ({
  name,
  rate: () => rate,
  median: MEDIAN,
});
export const dyingAt = (index: number, carrier: TrueCarrier): TrueCarrier => ({
  ...carrier,
  rate: (at) => (at < index ? carrier.rate(at) : 0),
});
export const [a, b, c] = [healthy('a', 0.92), healthy('b', 0.9), healthy('c', 0.91)];

/** The best carrier gradually loses a fifth of its confirmations. */
const failing: TrueCarrier = { ...a, rate: (at) => 0.92 * (1 - (0.2 * Math.min(at, 5_000)) / 5_000) };

interface Watched {
  readonly carriers: readonly TrueCarrier[];
  readonly watched: string;
  readonly from: number;
}
export const COURSES: Readonly<Record<string, Watched>> = {
  'one is silent from the start': { carriers: [a, dyingAt(0, b), c], watched: 'b', from: 0 },
  'the best falls silent after 5,000': { carriers: [dyingAt(5_000, a), b, c], watched: 'a', from: 5_000 },
  'the best slowly fails': { carriers: [failing, b, c], watched: 'a', from: 0 },
};

export async function run(
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
export function shareOf({ chosen }: Course, carrier: string, from: number, to: number): number {
  const within = chosen.slice(from, to);
  return within.filter((name) => name === carrier).length / within.length;
}

const count = (values: readonly boolean[], from: number) => values.slice(from).filter(Boolean).length;
/** Share of a perfect router's confirmations that were lost, from a given verification on. */
export const lost = ({ confirmed, confirmedAtBest }: Course, from = 0) =>
  1 - count(confirmed, from) / count(confirmedAtBest, from);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
export const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

async function figuresOf({ carriers, watched, from }: Watched, make: RouterMaker): Promise<string> {
  const courses: Course[] = [];
  for (const seed of [1, 2, 3, 4, 5]) courses.push(await run(carriers, seed, make, from));
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
  return `share to it, ${windows.join(', ')}; lost ${percent(mean(losses))}, at most ${percent(Math.max(...losses))}`;
}

if (import.meta.main) {
  for (const [router, make] of Object.entries({ ours, epsilonGreedy, upperConfidence, uncorrected }))
    for (const [name, course] of Object.entries(COURSES))
      console.log(`${router}, ${name}: ${await figuresOf(course, make)}`);
}
