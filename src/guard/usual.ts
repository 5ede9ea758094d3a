/**
 * What is usual in a country: how many of a hundred codes are confirmed, and how soon. Each shrinks to its parent: a
 * country to the installation, the installation to what most services see. Only traffic that nobody suspects teaches.
 */
import {
  BEST_CONVERSION,
  NEW_COUNTRY,
  POOREST_CONVERSION,
  STAGES,
  USUAL_BY_STAGE,
  USUAL_CONVERSION,
  USUAL_MEMORY,
  USUAL_WEIGHT,
} from './parameters.ts';

/** Counts that fade as new ones come. */
export interface UsualCounts {
  trials: number;
  confirmed: number;
  /** Confirmations by the stage before which they came; the last holds the later ones. */
  bySpeed: [number, number, number];
}

export class Usual {
  readonly #all: UsualCounts = empty();
  readonly #countries = new Map<string, UsualCounts>();

  /** The share of codes that are confirmed. */
  conversion(country: string): number {
    const { trials, confirmed } = this.#countries.get(country) ?? NOTHING;
    return bounded(
      (confirmed + USUAL_WEIGHT * NEW_COUNTRY * this.conversionOfAll()) / (trials + USUAL_WEIGHT),
    );
  }

  conversionOfAll(): number {
    const { trials, confirmed } = this.#all;
    return bounded((confirmed + USUAL_WEIGHT * USUAL_CONVERSION) / (trials + USUAL_WEIGHT));
  }

  /** The share of confirmations that has come by the first or the second stage. */
  shareBy(country: string, stage: 0 | 1): number {
    const own = this.#countries.get(country) ?? NOTHING;
    return shareOf(own, stage, USUAL_BY_STAGE[stage]);
  }

  learnTrial(country: string, weight: number): void {
    for (const counts of [this.#all, this.#of(country)]) {
      counts.trials += weight;
      if (counts.trials > USUAL_MEMORY) fade(counts);
    }
  }

  learnConfirmed(country: string, delay: number, weight: number): void {
    const speed = delay < STAGES[0] ? 0 : delay < STAGES[1] ? 1 : 2;
    for (const counts of [this.#all, this.#of(country)]) {
      counts.confirmed += weight;
      counts.bySpeed[speed] += weight;
    }
  }

  #of(country: string): UsualCounts {
    let counts = this.#countries.get(country);
    if (counts === undefined) {
      counts = empty();
      this.#countries.set(country, counts);
    }
    return counts;
  }
}

const NOTHING: Readonly<UsualCounts> = empty();

function empty(): UsualCounts {
  return { trials: 0, confirmed: 0, bySpeed: [0, 0, 0] };
}

function bounded(share: number): number {
  return Math.min(BEST_CONVERSION, Math.max(POOREST_CONVERSION, share));
}

function shareOf(
  { bySpeed: [soon, later, last] }: Readonly<UsualCounts>,
  stage: 0 | 1,
  parent: number,
): number {
  const come = stage === 0 ? soon : soon + later;
  return (come + USUAL_WEIGHT * parent) / (soon + later + last + USUAL_WEIGHT);
}

function fade(counts: UsualCounts): void {
  counts.trials /= 2;
  counts.confirmed /= 2;
  counts.bySpeed = [counts.bySpeed[0] / 2, counts.bySpeed[1] / 2, counts.bySpeed[2] / 2];
}
