/** In which order the carriers of a route are asked, and why. */
import type { Route } from '../core/sending/routing.ts';
import { type Belief, expectationOf } from './belief.ts';
import { drawBeta, type UniformRandom } from './beta.ts';

/** `why` is a short explanation for people; null if there was nothing to choose. */
export interface RankedCarrier {
  readonly carrier: string;
  readonly why: string | null;
}

/** What is known of a route's carriers for one message. */
export interface CarrierFacts {
  readonly belief: (carrier: string) => Belief;
  /** Undefined when no price is known. */
  readonly price: (carrier: string) => number | undefined;
}

/** How good a belief or a weight is considered; the highest comes first. */
export interface Draw {
  readonly belief: (belief: Belief) => number;
  readonly weight: (weight: number) => number;
}

/**
 * For a message. Beliefs by Thompson sampling: a carrier is asked first as often as it is likely to be the best, so a
 * little-known one is tried now and then. Weights: a carrier comes first by its share, and second by its share among
 * the rest (Efraimidis and Spirakis, 2006).
 */
export function drawByChance(random: UniformRandom): Draw {
  return {
    belief: ({ alpha, beta }) => drawBeta(alpha, beta, random),
    weight: (weight) => Math.log(1 - random()) / weight,
  };
}

/** For an explanation: the most likely order. */
export const AS_EXPECTED: Draw = { belief: expectationOf, weight: (weight) => weight };

/** Carriers this close to the best count as equal and are ordered by price. */
const ALIKE = 0.01;

export function orderCarriers(
  { carriers, weights, choose }: Route,
  facts: CarrierFacts,
  draw: Draw,
): RankedCarrier[] {
  if (carriers.length === 1) return [{ carrier: carriers[0], why: null }];
  if (choose === 'quality') return orderByQuality(carriers, facts, draw);
  if (weights !== undefined) return orderByWeight(carriers, weights, draw);
  return carriers.map((carrier, index) => ({ carrier, why: `${rank(index, carriers)} in order` }));
}

function orderByWeight(
  carriers: readonly string[],
  weights: Readonly<Record<string, number>>,
  draw: Draw,
): RankedCarrier[] {
  const weighted = carriers.flatMap((carrier) => {
    const weight = weights[carrier];
    return weight === undefined ? [] : [{ carrier, weight, score: draw.weight(weight) }];
  });
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const first = weighted
    .toSorted((a, b) => b.score - a.score)
    .map(({ carrier, weight }) => ({ carrier, by: `by weight ${weight} of ${total}` }));
  const others = carriers.filter((carrier) => weights[carrier] === undefined);
  return [...first, ...others.map((carrier) => ({ carrier, by: 'in order, without a weight' }))].map(
    ({ carrier, by }, index) => ({ carrier, why: `${rank(index, carriers)} ${by}` }),
  );
}

function orderByQuality(
  carriers: readonly string[],
  { belief, price }: CarrierFacts,
  draw: Draw,
): RankedCarrier[] {
  const scored = carriers
    .map((carrier) => {
      const known = belief(carrier);
      return { carrier, known, expected: expectationOf(known), score: draw.belief(known) };
    })
    .toSorted((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  const alike = scored.filter(({ score }) => score >= best - ALIKE);
  const dear = (carrier: string) => price(carrier) ?? Number.POSITIVE_INFINITY;
  const cheapest = alike.toSorted((a, b) => compare(dear(a.carrier), dear(b.carrier)));
  const highest = Math.max(...scored.map(({ expected }) => expected));
  return [...cheapest, ...scored.slice(alike.length)].map(({ carrier, known, expected }, index) => {
    const parts = [
      `${rank(index, carriers)} by quality: ${expected.toFixed(2)} expected of ${known.sent} sent`,
    ];
    if (index === 0 && carrier !== scored[0]?.carrier) parts.push(`cheapest of ${alike.length} alike`);
    else if (index === 0 && expected < highest - ALIKE) parts.push('exploring');
    return { carrier, why: parts.join(', ') };
  });
}

/** Two unknown prices are infinite, and infinity minus infinity is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function rank(index: number, carriers: readonly string[]): string {
  return `${ordinal(index + 1)} of ${carriers.length}`;
}

const RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function ordinal(n: number): string {
  return `${n}${ENDINGS[RULES.select(n)] ?? 'th'}`;
}
