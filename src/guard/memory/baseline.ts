/**
 * What is usual in a country: how many of a hundred codes are confirmed, and how soon. Each shrinks to its parent: a
 * country to the installation, the installation to what most services see. Only traffic that nobody suspects teaches.
 */
import {
  BASELINE_BY_STAGE,
  BASELINE_CONVERSION,
  BASELINE_MEMORY,
  BASELINE_WEIGHT,
  BEST_CONVERSION,
  NEW_COUNTRY,
  POOREST_CONVERSION,
  STAGES,
} from '../parameters.ts';

/** Counts that fade as new ones come. */
export interface BaselineCounts {
  trials: number;
  confirmed: number;
  /** Confirmations by the stage before which they came; the last holds the later ones. */
  bySpeed: [number, number, number];
}

export interface BaselineOf extends BaselineCounts {
  /** Undefined: the whole installation. */
  readonly country?: Country;
}

/** Undefined stands for the whole installation. */
type Country = string | undefined;

export class Baseline {
  readonly #counts = new Map<Country, BaselineCounts>();
  readonly #changes = new Map<Country, BaselineCounts>();
  readonly #kept = [this.#counts, this.#changes];

  /** The share of codes that are confirmed. */
  conversion(country: string): number {
    const { trials, confirmed } = this.#counts.get(country) ?? NOTHING;
    return bounded(
      (confirmed + BASELINE_WEIGHT * NEW_COUNTRY * this.conversionOfAll()) / (trials + BASELINE_WEIGHT),
    );
  }

  conversionOfAll(): number {
    const { trials, confirmed } = this.#counts.get(undefined) ?? NOTHING;
    return bounded((confirmed + BASELINE_WEIGHT * BASELINE_CONVERSION) / (trials + BASELINE_WEIGHT));
  }

  /** The share of confirmations that has come by the first or the second stage. */
  shareBy(country: string, stage: 0 | 1): number {
    const own = this.#counts.get(country) ?? NOTHING;
    return shareOf(own, stage, BASELINE_BY_STAGE[stage]);
  }

  learnTrial(country: string, weight: number): void {
    for (const all of this.#kept) {
      countsOf(all, undefined).trials += weight;
      countsOf(all, country).trials += weight;
    }
    this.#fade(country);
  }

  learnConfirmed(country: string, delay: number, weight: number): void {
    const speed = delay < STAGES[0] ? 0 : delay < STAGES[1] ? 1 : 2;
    for (const all of this.#kept) {
      learnConfirmed(countsOf(all, undefined), speed, weight);
      learnConfirmed(countsOf(all, country), speed, weight);
    }
  }

  /** What was learnt since it was last taken. */
  takeChanges(): BaselineOf[] {
    const changes = listOf(this.#changes);
    this.#changes.clear();
    return changes;
  }

  snapshot(): BaselineOf[] {
    return listOf(this.#counts);
  }

  absorb(learnt: readonly BaselineOf[]): void {
    for (const { country, trials, confirmed, bySpeed } of learnt) {
      const counts = countsOf(this.#counts, country);
      counts.trials += trials;
      counts.confirmed += confirmed;
      for (const speed of [0, 1, 2] as const) counts.bySpeed[speed] += bySpeed[speed];
      this.#fade(country);
    }
  }

  #fade(country: Country): void {
    fadeIfMany(countsOf(this.#counts, undefined));
    fadeIfMany(countsOf(this.#counts, country));
  }
}

function countsOf(all: Map<Country, BaselineCounts>, country: Country): BaselineCounts {
  let counts = all.get(country);
  if (counts === undefined) {
    counts = empty();
    all.set(country, counts);
  }
  return counts;
}

function listOf(all: ReadonlyMap<Country, BaselineCounts>): BaselineOf[] {
  return [...all].map(([country, { bySpeed, ...counts }]) => ({ country, ...counts, bySpeed: [...bySpeed] }));
}

const NOTHING: Readonly<BaselineCounts> = empty();

function empty(): BaselineCounts {
  return { trials: 0, confirmed: 0, bySpeed: [0, 0, 0] };
}

function bounded(share: number): number {
  return Math.min(BEST_CONVERSION, Math.max(POOREST_CONVERSION, share));
}

function shareOf({ bySpeed }: Readonly<BaselineCounts>, stage: 0 | 1, parent: number): number {
  const come = stage === 0 ? bySpeed[0] : bySpeed[0] + bySpeed[1];
  return (come + BASELINE_WEIGHT * parent) / (bySpeed[0] + bySpeed[1] + bySpeed[2] + BASELINE_WEIGHT);
}

function learnConfirmed(counts: BaselineCounts, speed: 0 | 1 | 2, weight: number): void {
  counts.confirmed += weight;
  counts.bySpeed[speed] += weight;
}

function fadeIfMany(counts: BaselineCounts): void {
  if (counts.trials <= BASELINE_MEMORY) return;
  counts.trials /= 2;
  counts.confirmed /= 2;
  counts.bySpeed = [counts.bySpeed[0] / 2, counts.bySpeed[1] / 2, counts.bySpeed[2] / 2];
}
