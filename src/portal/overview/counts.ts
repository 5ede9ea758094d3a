/** The counts of an account, read so that repeated looks cost little. */
import type { LatencyTally, Tally, TallyQuery, TallyStore } from '../../core/counting/tally.ts';
import { startOf } from '../../core/counting/tally-resolution.ts';
import { Answers } from './answers.ts';
import type { Course } from './overview-step.ts';

export type CountsFilter = Pick<
  TallyQuery,
  'accountId' | 'test' | 'channel' | 'country' | 'carrier' | 'keyId'
>;

interface Counts {
  /** By country and carrier. */
  readonly places: readonly Tally[];
  /** By key. */
  readonly keys: readonly Tally[];
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

type Read<T> = (filter: CountsFilter, course: Course, now: number) => Promise<T>;

export function createCounts(tallies: TallyStore) {
  const overview = inTwoParts(async (filter, { step, from, to }): Promise<Counts> => {
    const span = { ...filter, from, to };
    // Places and keys apart: by both at once, a year of a large account has millions of rows.
    const [places, keys, course, latencies] = await Promise.all([
      tallies.tally({ ...span, by: ['country', 'carrier'] }),
      tallies.tally({ ...span, by: ['key'] }),
      tallies.tally({ ...span, by: ['time'], step }),
      filter.keyId === undefined ? tallies.latencies({ ...span, by: ['country', 'carrier'] }) : [],
    ]);
    return { places, keys, course, latencies };
  });
  const courseBy = (by: TallyQuery['by']) =>
    inTwoParts((filter, { step, from, to }) => tallies.tally({ ...filter, from, to, by, step }));
  const [course, courseByCarrier] = [courseBy(['time']), courseBy(['time', 'carrier'])];

  const all: Read<Counts> = async (...question) => {
    const parts = await overview(...question);
    return {
      places: parts.flatMap(({ places }) => places),
      keys: parts.flatMap(({ keys }) => keys),
      course: parts.flatMap((part) => part.course),
      latencies: parts.flatMap(({ latencies }) => latencies),
    };
  };
  const flat =
    (read: Read<(readonly Tally[])[]>): Read<readonly Tally[]> =>
    async (...question) =>
      (await read(...question)).flat();
  return {
    all,
    /** By step. */
    course: flat(course),
    /** By step and carrier. */
    courseByCarrier: flat(courseByCarrier),
  };
}

/**
 * Reads a span in two parts: a long one that hardly changes and is kept for a minute, and the last quarter of an hour.
 * So a page that looks every two seconds adds up a year only once a minute.
 */
function inTwoParts<T>(ask: (filter: CountsFilter, course: Course) => Promise<T>): Read<T[]> {
  const answers = new Answers<T>(REMEMBERED);
  return async (filter, course, now) => {
    const edge = startOf(now - LIVE_MS, EDGE_MS);
    const parts = [
      { part: { ...course, to: Math.min(course.to, edge) }, forMs: SETTLED_FOR_MS },
      { part: { ...course, from: Math.max(course.from, edge) }, forMs: LIVE_FOR_MS },
    ];
    return Promise.all(
      parts
        .filter(({ part }) => part.from < part.to)
        .map(({ part, forMs }) =>
          answers.ask(JSON.stringify([filter, part]), forMs, () => ask(filter, part)),
        ),
    );
  };
}
