/** Continuously learns which carriers' codes are confirmed, by channel and country, from the counts in the store. */
import type { LatencyTally, Tally, TallyStore } from '../core/counting/tally.ts';
import type { Channel } from '../core/destination/channel.ts';
import { type Belief, type Cohort, learnBelief, type Prior } from './belief.ts';
import { type Delay, learnDelay, meanWorth, shareBetween, USUAL_DELAY } from './delay.ts';

const STEP_MS = 10_000;
const WINDOW_MS = 3_600_000;
const HALF_LIFE_MS = 900_000;
/** No code is valid for longer, so older cohorts no longer change. */
const OPEN_MS = 600_000;
/** Nearly all confirmations of cohorts this old have come: only these cohorts show how long confirmations take. */
const SETTLED_MS = 180_000;
/** The newest cohorts are read every time; all cohorts that can still change, now and then. */
const RECENT_MS = 90_000;
const FULL_EVERY_MS = 15_000;
/** How many confirmations the next wider delay counts for: the channel's for a country, the country's for a carrier. */
const DELAY_PRIOR = 30;
/** The maximum number of trials that a carrier's rate in other countries counts for. */
const PRIOR_TRIALS = 10;
/** The prior of an unknown carrier: good enough to be tried. */
const UNKNOWN: Prior = { mean: 0.8, trials: 2 };

interface Counts {
  readonly sent: number;
  readonly confirmed: number;
}

/** What is known about one channel and country; by carrier, then by the start of the step. */
interface Scope {
  readonly channel: Channel;
  readonly carriers: Map<string, Map<number, Counts>>;
}

export class Quality {
  readonly #tallies: TallyStore;
  readonly #carriers: ReadonlySet<string>;
  readonly #scopes = new Map<string, Scope>();
  readonly #delays = new Map<string, readonly number[]>();
  /** Settled counts by scope and carrier, and over all countries. The priors are made from them. */
  readonly #totals = new Map<string, Counts>();
  readonly #beliefs = new Map<string, Belief>();
  #learntAt = 0;
  #fullAt = Number.NEGATIVE_INFINITY;

  /** Learns only about these carriers. */
  constructor(tallies: TallyStore, carriers: Iterable<string>) {
    this.#tallies = tallies;
    this.#carriers = new Set(carriers);
  }

  /** Reads what has been counted since. Rejects with StoreUnavailable; what was learnt before stays. */
  async learn(now: number): Promise<void> {
    const full = now - this.#fullAt >= FULL_EVERY_MS;
    const since = full ? Math.max(now - WINDOW_MS, this.#fullAt - OPEN_MS) : now - RECENT_MS;
    const live = { test: false, to: now + STEP_MS } as const;
    const from = stepOf(since);
    const by = ['time', 'channel', 'country', 'carrier'] as const;
    const [tallies, latencies] = await Promise.all([
      this.#tallies.tally({ ...live, from, by, step: STEP_MS }),
      full
        ? this.#tallies.latencies({
            test: false,
            from: now - WINDOW_MS,
            to: now - SETTLED_MS,
            by: ['channel', 'country', 'carrier'],
          })
        : undefined,
    ]);
    for (const tally of tallies) this.#take(tally);
    if (latencies !== undefined) {
      this.#takeLatencies(latencies);
      this.#forget(now - WINDOW_MS);
      this.#sumUp(now - SETTLED_MS);
      this.#fullAt = now;
    }
    this.#learntAt = now;
    this.#beliefs.clear();
  }

  belief(channel: Channel, country: string, carrier: string): Belief {
    const key = `${channel} ${country} ${carrier}`;
    const known = this.#beliefs.get(key);
    if (known !== undefined) return known;
    const belief = this.#believe(channel, country, carrier);
    this.#beliefs.set(key, belief);
    return belief;
  }

  #believe(channel: Channel, country: string, carrier: string): Belief {
    const delay = this.#delayOf(channel, `${channel} ${country}`);
    const own = this.#delays.get(`${channel} ${country} ${carrier}`) ?? [];
    const worth = meanWorth(learnDelay(own, delay, DELAY_PRIOR));
    const steps = this.#scopes.get(`${channel} ${country}`)?.carriers.get(carrier);
    const cohorts = steps === undefined ? [] : listCohorts(steps, delay, this.#learntAt);
    return learnBelief(cohorts, this.#priorOf(channel, country, carrier), worth);
  }

  /** The carrier's rate in the channel's other countries. */
  #priorOf(channel: Channel, country: string, carrier: string): Prior {
    const everywhere = this.#totals.get(`${channel} ${carrier}`) ?? { sent: 0, confirmed: 0 };
    const here = this.#totals.get(`${channel} ${country} ${carrier}`) ?? { sent: 0, confirmed: 0 };
    const sent = everywhere.sent - here.sent;
    const confirmed = everywhere.confirmed - here.confirmed;
    return {
      mean: (confirmed + UNKNOWN.mean * UNKNOWN.trials) / (sent + UNKNOWN.trials),
      trials: Math.min(PRIOR_TRIALS, sent + UNKNOWN.trials),
    };
  }

  #delayOf(channel: Channel, scope: string): Delay {
    const wide = learnDelay(this.#delays.get(channel) ?? [], USUAL_DELAY, DELAY_PRIOR);
    return learnDelay(this.#delays.get(scope) ?? [], wide, DELAY_PRIOR);
  }

  #take({ time, channel, country, carrier, submitted, confirmed }: Tally): void {
    if (time === null || channel === null || country === null) return;
    if (carrier === null || !this.#carriers.has(carrier)) return;
    const key = `${channel} ${country}`;
    const scope = this.#scopes.get(key) ?? { channel, carriers: new Map() };
    this.#scopes.set(key, scope);
    const steps = scope.carriers.get(carrier) ?? new Map<number, Counts>();
    scope.carriers.set(carrier, steps);
    steps.set(time, { sent: submitted, confirmed });
  }

  /** By channel, by country and by carrier: each is the prior of the next. */
  #takeLatencies(latencies: readonly LatencyTally[]): void {
    this.#delays.clear();
    for (const { stage, channel, country, carrier, bins } of latencies) {
      if (stage !== 'confirmed' || channel === null || carrier === null || !this.#carriers.has(carrier))
        continue;
      for (const key of [channel, `${channel} ${country}`, `${channel} ${country} ${carrier}`]) {
        const known = this.#delays.get(key) ?? [];
        this.#delays.set(
          key,
          bins.map((count, bin) => count + (known[bin] ?? 0)),
        );
      }
    }
  }

  #forget(before: number): void {
    for (const [key, { carriers }] of this.#scopes) {
      for (const [carrier, steps] of carriers) {
        for (const time of steps.keys()) if (time < before) steps.delete(time);
        if (steps.size === 0) carriers.delete(carrier);
      }
      if (carriers.size === 0) this.#scopes.delete(key);
    }
  }

  #sumUp(before: number): void {
    this.#totals.clear();
    for (const [key, { channel, carriers }] of this.#scopes) {
      for (const [carrier, steps] of carriers) {
        const settled = [...steps].filter(([time]) => time < before).map(([, counts]) => counts);
        const total = addUp(settled);
        const everywhere = this.#totals.get(`${channel} ${carrier}`);
        this.#totals.set(`${key} ${carrier}`, total);
        this.#totals.set(`${channel} ${carrier}`, addUp(everywhere ? [everywhere, total] : [total]));
      }
    }
  }
}

/** The cohorts of a carrier as seen at a given time, the newest first. */
function listCohorts(steps: ReadonlyMap<number, Counts>, delay: Delay, now: number): Cohort[] {
  const cohorts: Cohort[] = [];
  for (let time = stepOf(now); time > now - WINDOW_MS; time -= STEP_MS) {
    const counts = steps.get(time);
    if (counts === undefined || counts.sent === 0) continue;
    const oldest = now - time;
    const youngest = Math.max(0, oldest - STEP_MS);
    const share = youngest >= OPEN_MS ? 1 : shareBetween(delay, youngest, oldest);
    cohorts.push({ ...counts, share, weight: 2 ** (-youngest / HALF_LIFE_MS) });
  }
  return cohorts;
}

function addUp(all: readonly Counts[]): Counts {
  return {
    sent: all.reduce((sum, { sent }) => sum + sent, 0),
    confirmed: all.reduce((sum, { confirmed }) => sum + confirmed, 0),
  };
}

function stepOf(time: number): number {
  return Math.floor(time / STEP_MS) * STEP_MS;
}
