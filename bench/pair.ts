/** This checkout against another revision: whole processes, in turn, compared pair by pair. */
import type { Section } from './figures.ts';
import { compareFlows } from './pair/flows.ts';
import type { Pairs, Sides } from './pair/sides.ts';
import { compareStarts } from './pair/starts.ts';
import { compareVerify } from './pair/verify.ts';
import { type Checkout, HERE } from './servers/checkout.ts';
import type { Workplace } from './servers/workplace.ts';

const SLOW_MS = 300;

/** Yields each section when it has been measured. */
export async function* measurePairs(
  place: Workplace,
  other: Checkout,
  name: string,
  extent: Pairs,
): AsyncGenerator<Section> {
  const sides: Sides = [HERE, other];
  yield await compareStarts(place, sides, `start, as a part of ${name}`, extent);
  yield await compareVerify(place, sides, '`/verify`, by start', extent);
  yield await compareFlows(place, sides, 'whole flows', 0, extent);
  yield await compareFlows(place, sides, `with a carrier of ${SLOW_MS} ms`, SLOW_MS, extent);
}
