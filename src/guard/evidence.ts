/**
 * How much more likely "nobody here confirms" is than "as usual here", as the log of the odds. Pure: counts in, odds out.
 *
 * Of the codes that had their time, U were not confirmed. What explains them is added up to μ: the people who never type
 * their code, as many as go with the C who do; an outage, which silences as many as usually come and no more; and a few
 * that nobody wonders about. Then it is ln P(U | attack) / P(U | usual), where usual is a negative binomial with mean μ
 * and the attack has the mean that fits best.
 */

import { memoryOf, type Place, SCALES, type Scale } from './memory/place.ts';
import {
  BASELINE_WEIGHT,
  CONVERSION_COUNTS,
  type KindParameters,
  LONGEST_OUTAGE,
  OUTAGE,
  RANGE_POORER,
  STEADINESS,
} from './parameters.ts';

/** A rate learnt over less than this is none yet. */
const SHORTEST_AGE = 3_600_000;

/**
 * The conversion that is usual at a place: its country's, poorer if the place itself was before the last hours, but not
 * much. The last hours are what is judged: they must not excuse themselves, and neither must an attack of yesterday.
 */
function conversionAt(place: Place, parent: number, { poorer }: KindParameters): number {
  if (!poorer || hasBurnt(place)) return parent;
  const trials = Math.max(0, place.trials[2] - place.trials[1]);
  const confirmed = Math.min(trials, Math.max(0, place.confirmed[2] - place.confirmed[1]));
  const own = (confirmed + BASELINE_WEIGHT * parent) / (trials + BASELINE_WEIGHT);
  return Math.min(parent, Math.max(own, parent * RANGE_POORER));
}

/**
 * The conversion of a country in the last minutes, if it shows an outage: the usual volume asks and does not confirm. What
 * holds for the rest of the country explains its ranges.
 */
export function conversionNow(country: Place, range: Place, baseline: number): number {
  const trials = Math.max(0, country.trials[0] - range.trials[0]);
  const confirmed = Math.max(0, country.confirmed[0] - range.confirmed[0]);
  const expected = (baselineRate(country, baseline) - baselineRate(range, baseline)) * memoryOf(0);
  if (expected < OUTAGE.expected || trials > expected * OUTAGE.volume) return baseline;
  return Math.min(baseline, (confirmed + OUTAGE.weight * baseline) / (trials + OUTAGE.weight));
}

/** Whether it was closed in the last days. */
export function hasBurnt(place: Place): boolean {
  return place.failures > 0.3;
}

/** Requests per ms that are usual here: only what was confirmed counts, so no attack makes itself usual. */
export function baselineRate(place: Place, conversion: number, learntOver = SHORTEST_AGE): number {
  const age = Math.max(learntOver, place.time - place.bornAt);
  const memory = memoryOf(2);
  return place.confirmed[2] / conversion / (memory * (1 - Math.exp(-age / memory)));
}

export function unconfirmedAt(place: Place, scale: Scale): number {
  return Math.max(0, place.trials[scale] - place.confirmed[scale]);
}

/** μ: how many unconfirmed codes are explained. */
export function explainedAt(
  place: Place,
  scale: Scale,
  conversion: number,
  rate: number,
  idle: number,
): number {
  const confirmed = place.confirmed[scale];
  const span = Math.min(memoryOf(scale), LONGEST_OUTAGE);
  const silent = Math.max(0, rate * span - (confirmed / conversion) * (span / memoryOf(scale)));
  return idle + (confirmed * (1 - conversion)) / conversion + silent;
}

/** ln P(U | the mean that fits best) / P(U | mean μ) for a negative binomial of shape k; 0 if U is not above μ. */
export function logOdds(unconfirmed: number, explained: number, k: number): number {
  if (unconfirmed <= explained) return 0;
  return (
    unconfirmed * Math.log(unconfirmed / explained) -
    (unconfirmed + k) * Math.log((unconfirmed + k) / (explained + k))
  );
}

/**
 * ln P(these confirmations | the conversion that fits best) / P(them | usual): 8 silent people of 8 are nothing where seven
 * of ten are silent anyway. 0 if more confirmed than usual.
 */
export function conversionOdds(unconfirmed: number, confirmed: number, conversion: number): number {
  const all = unconfirmed + confirmed;
  const share = confirmed / all;
  if (share >= conversion) return 0;
  const ofConfirmed = confirmed === 0 ? 0 : confirmed * Math.log(share / conversion);
  return ofConfirmed + unconfirmed * Math.log((1 - share) / (1 - conversion));
}

export interface EvidenceFinding {
  /** The conversion that is usual at the place. */
  conversion: number;
  odds: number;
  scale: Scale;
  unconfirmed: number;
  explained: number;
}

/** The strongest evidence at a place over the three memories, into `finding`. */
export function judgePlace(
  place: Place,
  parent: number,
  parameters: KindParameters,
  finding: EvidenceFinding,
): EvidenceFinding {
  const { idle, majority, steadiness } = parameters;
  const conversion = conversionAt(place, parent, parameters);
  /** Most places have too few unconfirmed codes for it to matter. */
  let rate: number | undefined;
  finding.conversion = conversion;
  finding.odds = 0;
  for (const scale of SCALES) {
    const unconfirmed = unconfirmedAt(place, scale);
    if (unconfirmed <= idle) continue;
    rate ??= baselineRate(place, conversion, parameters.learntOver);
    const explained = explainedAt(place, scale, conversion, rate, idle);
    // A wide place is closed only where most of its volume is unexplained: else more people than bots were refused.
    if (unconfirmed - explained < (majority * place.confirmed[scale]) / conversion) continue;
    const odds = Math.min(
      logOdds(unconfirmed, explained, STEADINESS[scale] * steadiness),
      CONVERSION_COUNTS * conversionOdds(unconfirmed, place.confirmed[scale], conversion),
    );
    if (odds <= finding.odds) continue;
    finding.odds = odds;
    finding.scale = scale;
    finding.unconfirmed = unconfirmed;
    finding.explained = explained;
  }
  return finding;
}
