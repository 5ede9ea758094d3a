/** How long after its request a code is usually confirmed. Without this, codes just sent would look unconfirmed. */
import { LATENCY_BOUNDS } from '../core/counting/tally.ts';

/** The share of confirmations within each bin of LATENCY_BOUNDS; adds up to 1. */
export type Delay = readonly number[];

/** What is assumed at first: half within 12 s, nine out of ten within 36 s. Log-logistic, for its long tail. */
export const USUAL_DELAY: Delay = shapeOf((ms) => 1 / (1 + (ms / 12_000) ** -2));

/** At how many ages of a cohort the mean share is taken, because its requests came over a period of time. */
const PROBES = 5;
/** A confirmation is worth less by half of this if it takes WORTH_MS, and by all of it if it takes for ever. */
const WORTH_OF_SPEED = 0.1;
const WORTH_MS = 60_000;

/** The delay from what was counted, with a prior that weighs as much as `weight` confirmations. */
export function learnDelay(counts: readonly number[], prior: Delay, weight: number): Delay {
  const total = counts.reduce((sum, count) => sum + count, weight);
  return prior.map((share, bin) => ((counts[bin] ?? 0) + share * weight) / total);
}

/** The share of confirmations that has come by an age, in ms. Nothing is confirmed after the last bound. */
export function shareBy(delay: Delay, age: number): number {
  let share = 0;
  let from = 0;
  // Asked some thousand times a second for each route: entries() would take three times as long.
  for (let bin = 0; bin < LATENCY_BOUNDS.length; bin++) {
    const to = LATENCY_BOUNDS[bin] ?? from;
    const inBin = delay[bin] ?? 0;
    if (age < to) return share + (inBin * Math.max(0, age - from)) / (to - from);
    share += inBin;
    from = to;
  }
  return share;
}

/** Its mean over a cohort whose requests came evenly between two ages. */
export function shareBetween(delay: Delay, youngest: number, oldest: number): number {
  let sum = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    sum += shareBy(delay, youngest + ((oldest - youngest) * (probe + 0.5)) / PROBES);
  }
  return sum / PROBES;
}

/** What a confirmation is worth on average, from 0.9 to 1: between two equal carriers the faster wins. */
export function meanWorth(delay: Delay): number {
  let worth = 0;
  let from = 0;
  for (const [bin, share] of delay.entries()) {
    const to = LATENCY_BOUNDS[bin] ?? from;
    const middle = (from + to) / 2;
    worth += share * (1 - (WORTH_OF_SPEED * middle) / (middle + WORTH_MS));
    from = to;
  }
  return worth;
}

function shapeOf(cumulative: (ms: number) => number): Delay {
  const shares = [...LATENCY_BOUNDS.map(cumulative), 1];
  return shares.map((share, bin) => share - (shares[bin - 1] ?? 0));
}
