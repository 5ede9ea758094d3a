/** A simulated world of carriers and people for measuring routers: no clock, and no randomness except the seed's. */
import {
  LATENCY_BOUNDS,
  type LatencyTally,
  type Tally,
  type TallyQuery,
  type TallyStore,
} from '../../src/core/counting/tally.ts';
import { drawNormal, type UniformRandom } from '../../src/routing/beta.ts';

/** A carrier as it really is. */
export interface TrueCarrier {
  readonly name: string;
  /** Share of its codes that get confirmed, by the number of earlier verifications. */
  readonly rate: (index: number) => number;
  /** Median time of the confirmations, in ms after the request. */
  readonly median: number;
}

export interface Router {
  /** Called each second. */
  learn(now: number): Promise<void>;
  /** The name of a carrier. */
  choose(now: number): string;
}

export interface Course {
  /** The carrier of each verification. */
  readonly chosen: readonly string[];
  readonly confirmed: readonly boolean[];
  /** The confirmations that a router that knows each carrier's rate would have got from the same people. */
  readonly confirmedAtBest: readonly boolean[];
}

export interface World {
  readonly carriers: readonly TrueCarrier[];
  readonly verifications: number;
  readonly perSecond: number;
  readonly seed: number;
}

const SECOND = 1_000;
const START = Date.UTC(2026, 10, 21);
/** Spread of the logarithm of the delays: nine out of ten come within 2.8 times the median. */
const SIGMA = 0.8;

/** Mulberry32: small, and the same everywhere. */
export function seeded(seed: number): UniformRandom {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Verifications come evenly. Whether a person confirms depends only on the person's random number and the carrier's
 * rate, so that all routers, including the perfect one, meet the same people.
 */
export async function simulate(
  { carriers, verifications, perSecond, seed }: World,
  createRouter: (counts: Counts) => Router,
): Promise<Course> {
  const people = seeded(seed);
  const counts = new Counts();
  const router = createRouter(counts);
  const chosen: string[] = [];
  const confirmed: boolean[] = [];
  const confirmedAtBest: boolean[] = [];
  let learntAt = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < verifications; index++) {
    const now = START + (index * SECOND) / perSecond;
    if (now - learntAt >= SECOND) {
      learntAt = now;
      counts.turnTo(now);
      await router.learn(now);
    }
    const willing = people();
    const delay = Math.exp(SIGMA * drawNormal(people));
    const name = router.choose(now);
    const carrier = carriers.find((each) => each.name === name);
    if (carrier === undefined) throw new Error(`${name} is no carrier`);
    chosen.push(name);
    confirmedAtBest.push(willing < Math.max(...carriers.map(({ rate }) => rate(index))));
    const succeeds = willing < carrier.rate(index);
    confirmed.push(succeeds);
    counts.add(now, name, succeeds ? carrier.median * delay : undefined);
  }
  return { chosen, confirmed, confirmedAtBest };
}

interface Cohort {
  readonly time: number;
  readonly carrier: string;
  submitted: number;
  confirmed: number;
  readonly bins: number[];
}

const STEP = 10 * SECOND;

/** What the service's store would have counted by now: a confirmation is visible when it arrives. */
export class Counts implements TallyStore {
  readonly #cohorts = new Map<string, Cohort>();
  readonly #ordered: Cohort[] = [];
  /** By the second in which they arrive. */
  readonly #coming = new Map<number, { readonly cohort: Cohort; readonly latency: number }[]>();
  #second = Math.floor(START / SECOND);

  turnTo(now: number): void {
    for (; this.#second < Math.floor(now / SECOND); this.#second++) {
      for (const { cohort, latency } of this.#coming.get(this.#second) ?? []) {
        const bin = LATENCY_BOUNDS.findIndex((bound) => latency < bound);
        const at = bin === -1 ? LATENCY_BOUNDS.length : bin;
        cohort.confirmed++;
        cohort.bins[at] = (cohort.bins[at] ?? 0) + 1;
      }
      this.#coming.delete(this.#second);
    }
  }

  add(now: number, carrier: string, latency: number | undefined): void {
    const time = Math.floor(now / STEP) * STEP;
    const key = `${time} ${carrier}`;
    let cohort = this.#cohorts.get(key);
    if (cohort === undefined) {
      const bins = Array<number>(LATENCY_BOUNDS.length + 1).fill(0);
      cohort = { time, carrier, submitted: 0, confirmed: 0, bins };
      this.#cohorts.set(key, cohort);
      this.#ordered.push(cohort);
    }
    cohort.submitted++;
    if (latency === undefined) return;
    const second = Math.floor((now + latency) / SECOND);
    const coming = this.#coming.get(second) ?? [];
    this.#coming.set(second, coming);
    coming.push({ cohort, latency });
  }

  async tally(query: TallyQuery): Promise<Tally[]> {
    return this.within(query).map((cohort) => ({ ...NOTHING, ...groupOf(cohort), ...cohort }));
  }

  async latencies(query: TallyQuery): Promise<LatencyTally[]> {
    return this.within(query).map((cohort) => ({
      ...groupOf(cohort),
      stage: 'confirmed',
      bins: cohort.bins,
    }));
  }

  /** They were added in the order of their times: the search begins at the newest. */
  within({ from, to }: Pick<TallyQuery, 'from' | 'to'>): Cohort[] {
    const end = this.#ordered.findLastIndex(({ time }) => time < to) + 1;
    return this.#ordered.slice(this.#ordered.findLastIndex(({ time }) => time < from) + 1, end);
  }
}

const NOTHING = {
  requested: 0,
  failedAttempts: 0,
  delivered: 0,
  undelivered: 0,
  failed: 0,
  limitedByKey: 0,
  limitedByDestination: 0,
  mismatched: 0,
  cost: 0,
};

function groupOf({ time, carrier }: Cohort) {
  return { time, carrier, channel: 'sms', country: 'DE', keyId: null } as const;
}
