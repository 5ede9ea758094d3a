/** What we believe about a carrier, from the results of the codes that it took. Pure: no clock, no store. */

/** Verifications that one carrier took in one step of time. */
export interface Cohort {
  readonly sent: number;
  readonly confirmed: number;
  /** Which share of the expected confirmations should have come by now. */
  readonly share: number;
  /** How much it still counts, from 1 for now towards 0. */
  readonly weight: number;
}

/** Beta(alpha, beta): how likely a code sent now is confirmed, minus a little for slowness. */
export interface Belief {
  readonly alpha: number;
  readonly beta: number;
  /** From how many messages it is learnt. */
  readonly sent: number;
}

export interface Prior {
  readonly mean: number;
  /** How many trials it counts for. */
  readonly trials: number;
}

export function expectationOf({ alpha, beta }: Belief): number {
  return alpha / (alpha + beta);
}

/**
 * Learns from cohorts, the newest first. A message counts as a trial by the share of its confirmation that could have
 * come by now, after Vernade, Cappé and Perchet, "Stochastic bandit models for delayed conversions" (2017).
 */
export function learnBelief(cohorts: readonly Cohort[], prior: Prior, worth: number): Belief {
  let trials = prior.trials;
  let successes = prior.trials * prior.mean;
  let sent = 0;
  for (const cohort of cohorts.slice(0, findChange(cohorts))) {
    trials += cohort.weight * cohort.sent * cohort.share;
    successes += cohort.weight * cohort.confirmed;
    sent += cohort.sent;
  }
  // More may have been confirmed than the share says. Both sides stay above 0, as the distribution requires.
  const alpha = Math.max(successes * worth, 0.01);
  return { alpha, beta: Math.max(trials - alpha, 0.01), sent };
}

/** ln(1 / δ), where δ is the chance of seeing a change where there is none. */
const CONFIDENCE = 9;
/** The shares are estimates: how far a cohort that is still open may be off because of this. */
const DOUBT = 0.3;

/**
 * How many of the newest cohorts belong together. If they clearly differ from those before, the carrier has changed and
 * its past no longer counts: a carrier that fails after a good hour is left within seconds, and not only when its past
 * is outweighed. The test is that of ADWIN (Bifet and Gavaldà, "Learning from time-changing data with adaptive
 * windowing", 2007) with Bernstein's bound.
 */
export function findChange(cohorts: readonly Cohort[]): number {
  let end = cohorts.length;
  for (;;) {
    const change = findCut(cohorts, end);
    if (change === undefined) return end;
    end = change;
  }
}

/** Where the cohorts before `end` differ most; undefined if they do not differ. */
function findCut(cohorts: readonly Cohort[], end: number): number | undefined {
  const all = { sent: 0, trials: 0, confirmed: 0 };
  for (let i = 0; i < end; i++) add(all, cohorts[i]);
  if (all.trials === 0) return undefined;
  const rate = Math.min(1, all.confirmed / all.trials);
  const variance = rate * (1 - rate);
  const recent = { sent: 0, trials: 0, confirmed: 0 };
  let most = 0;
  let cut: number | undefined;
  for (let i = 0; i < end - 1; i++) {
    add(recent, cohorts[i]);
    const before = all.trials - recent.trials;
    if (recent.trials === 0 || before <= 0) continue;
    const size = 1 / (1 / recent.trials + 1 / before);
    const bound =
      Math.sqrt((2 * variance * CONFIDENCE) / size) +
      (2 * CONFIDENCE) / (3 * size) +
      DOUBT * (1 - recent.trials / recent.sent);
    const difference = Math.abs(
      recent.confirmed / recent.trials - (all.confirmed - recent.confirmed) / before,
    );
    if (difference - bound <= most) continue;
    most = difference - bound;
    cut = i + 1;
  }
  return cut;
}

function add(sum: { sent: number; trials: number; confirmed: number }, cohort: Cohort | undefined): void {
  if (cohort === undefined) return;
  sum.sent += cohort.sent;
  sum.trials += cohort.sent * cohort.share;
  sum.confirmed += cohort.confirmed;
}
