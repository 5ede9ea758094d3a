/** The counts of an account, read so that repeated looks cost little. */

import type { LatencyQuery, Tally, TallyQuery, TallyStore } from '../../core/counting/tally.ts';
import { startOf } from '../../core/counting/tally-resolution.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { Answers } from './answers.ts';
import type { Course } from './overview-step.ts';

export type CountsFilter = Pick<
  TallyQuery,
  'accountId' | 'test' | 'channel' | 'country' | 'carrier' | 'keyId'
>;

export interface Groups {
  /** By country and carrier. */
  readonly places: readonly Tally[];
  /** By key. */
  readonly keys: readonly Tally[];
  /** By channel. */
  readonly channels: readonly Tally[];
}

/** Codes are valid for ten minutes; after this a verification's counts hardly change. */
const LIVE_MS = 15 * 60_000;
const EDGE_MS = 5 * 60_000;
/** How long counts are kept, in ms: of earlier verifications, and of the last quarter of an hour. */
const SETTLED_FOR_MS = 60_000;
const LIVE_FOR_MS = 1_000;
const REMEMBERED = 50;

type Read<T> = (filter: CountsFilter, course: Course, now: number) => Promise<T>;

export function createCounts(clock: Clock, tallies: TallyStore) {
  /** None of a single key, because latencies are not kept by key. */
  const latencies = async (query: LatencyQuery) =>
    query.keyId === undefined ? await tallies.latencies(query) : [];
  const groups = inTwoParts(clock, async (filter, { from, to }): Promise<Groups> => {
    const span = { ...filter, from, to };
    // Apart: by all at once, a year of a large account has millions of rows.
    const [places, keys, channels] = await Promise.all([
      tallies.tally({ ...span, by: ['country', 'carrier'] }),
      tallies.tally({ ...span, by: ['key'] }),
      tallies.tally({ ...span, by: ['channel'] }),
    ]);
    return { places, keys, channels };
  });
  const latenciesBy = (by: LatencyQuery['by'], stage?: LatencyQuery['stage']) =>
    flat(
      inTwoParts(clock, (filter, { from, to }) =>
        latencies({ ...filter, from, to, by, ...(stage !== undefined && { stage }) }),
      ),
    );
  const courseBy = (by: TallyQuery['by']) =>
    flat(inTwoParts(clock, (filter, { step, from, to }) => tallies.tally({ ...filter, from, to, by, step })));
  return {
    groups: async (...question: Parameters<typeof groups>): Promise<Groups> => {
      const found = await groups(...question);
      return {
        places: found.flatMap(({ places }) => places),
        keys: found.flatMap(({ keys }) => keys),
        channels: found.flatMap(({ channels }) => channels),
      };
    },
    /** By step. */
    course: courseBy(['time']),
    /** By step and carrier. */
    courseByCarrier: courseBy(['time', 'carrier']),
    /** By stage. */
    latencies: latenciesBy([]),
    /** Of confirmations, by country and carrier, and by channel. */
    latenciesByPlace: latenciesBy(['country', 'carrier'], 'confirmed'),
    latenciesByChannel: latenciesBy(['channel'], 'confirmed'),
  };
}

const flat =
  <T>(read: Read<(readonly T[])[]>): Read<readonly T[]> =>
  async (...question) =>
    (await read(...question)).flat();

/**
 * Reads a span in two parts: a long one that hardly changes and is kept for a minute, and the last quarter of an hour.
 * So a page that looks every two seconds adds up a year only once a minute.
 */
function inTwoParts<T>(clock: Clock, ask: (filter: CountsFilter, course: Course) => Promise<T>): Read<T[]> {
  const answers = new Answers<T>(clock, REMEMBERED);
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
