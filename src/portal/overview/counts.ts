/** The counts of an account, read so that repeated looks cost little. */
import type { LatencyTally, Tally, TallyQuery, TallyStore } from '../../core/counting/tally.ts';
import { startOf } from '../../core/counting/tally-resolution.ts';
import { Answers } from './answers.ts';
import type { Course } from './overview-step.ts';

export type CountsFilter = Pick<
  TallyQuery,
  'accountId' | 'test' | 'channel' | 'country' | 'carrier' | 'keyId'
>;

export interface Counts {
  /** By country, carrier and key. */
  readonly groups: readonly Tally[];
  /** By step. */
  readonly course: readonly Tally[];
  /** By stage, country and carrier; empty for a single key, because latencies are not kept by key. */
  readonly latencies: readonly LatencyTally[];
}

/** Codes are valid for ten minutes; after this a verification's counts hardly change. */
const LIVE_MS = 15 * 60_000;
const EDGE_MS = 5 * 60_000;
/** How long counts are kept, in ms: of earlier verifications, and of the last quarter of an hour. */
const SETTLED_FOR_MS = 60_000;
const LIVE_FOR_MS = 1_000;
const REMEMBERED = 50;

/**
 * Reads the counts of a span in two parts: a long one that hardly changes and is kept for a minute, and the last quarter
 * of an hour. So a page that looks every two seconds adds up a year only once a minute.
 */
export function createCounts(
  tallies: TallyStore,
): (filter: CountsFilter, course: Course, now: number) => Promise<Counts> {
  const answers = new Answers<Counts>(REMEMBERED);

  async function ask(filter: CountsFilter, { step, from, to }: Course): Promise<Counts> {
    const span = { ...filter, from, to };
    const [groups, course, latencies] = await Promise.all([
      tallies.tally({ ...span, by: ['country', 'carrier', 'key'] }),
      tallies.tally({ ...span, by: ['time'], step }),
      filter.keyId === undefined ? tallies.latencies({ ...span, by: ['country', 'carrier'] }) : [],
    ]);
    return { groups, course, latencies };
  }

  const recall = (filter: CountsFilter, course: Course, forMs: number) =>
    course.from >= course.to
      ? NOTHING
      : answers.ask(JSON.stringify([filter, course]), forMs, () => ask(filter, course));

  return async (filter, course, now) => {
    const edge = startOf(now - LIVE_MS, EDGE_MS);
    const parts = await Promise.all([
      recall(filter, { ...course, to: Math.min(course.to, edge) }, SETTLED_FOR_MS),
      recall(filter, { ...course, from: Math.max(course.from, edge) }, LIVE_FOR_MS),
    ]);
    return {
      groups: parts.flatMap(({ groups }) => groups),
      course: parts.flatMap((part) => part.course),
      latencies: parts.flatMap(({ latencies }) => latencies),
    };
  };
}

const NOTHING: Counts = { groups: [], course: [], latencies: [] };
