/** The channels that a message goes by one after the other, as `then` of its route says, while those before did not reach. */
import { type Destination, parseDestination } from '../destination/destination.ts';
import { ANY_NUMBER } from '../destination/never-sent.ts';
import { type Route, type RouteFinder, thensOf } from './routing.ts';

/** A channel after the first. */
export interface FallbackStep {
  readonly route: Route;
  /** How long the channel before has, in ms from when a carrier took the message; undefined: until it has failed. */
  readonly after: number | undefined;
}

/** Those of a route that can reach the destination, without the first. */
export type FindFallbackSteps = (route: Route, destination: Destination) => readonly FallbackStep[];

/** What comes after the channel of a message. */
export interface NextFallbackStep extends Pick<FallbackStep, 'after'> {
  /** Its place: 1 is the route's first `then`. */
  readonly leg: number;
  /** How long the channels before have to take the message, in ms from the request; undefined: until its code expires. */
  readonly patience: number | undefined;
}

const NO_LEGS: readonly FallbackStep[] = [];

/** Prepares the routes once; most have no other channel, and cost a look into an empty map. */
export function compileFallbackSteps(routes: readonly Route[], findRoute: RouteFinder): FindFallbackSteps {
  const compiled = new Map(
    routes
      .filter(({ then }) => then !== undefined)
      .map((route) => [
        route,
        thensOf(route).map(({ channel, carriers, after }) => {
          return { channel, after, own: carriers && { channel, carriers } };
        }),
      ]),
  );
  return (route, destination) => {
    const thens = compiled.get(route);
    if (thens === undefined) return NO_LEGS;
    return thens.flatMap(({ channel, after, own }) => {
      // What must never be sent to was refused on the first channel. An SMS cannot reach a landline that was called.
      if (!parseDestination(destination.address, channel, ANY_NUMBER).ok) return [];
      if (own !== undefined) return [{ route: own, after }];
      const found = findRoute(channel, destination);
      return found.ok ? [{ route: found.route, after }] : [];
    });
  };
}

/** The next of these steps after one of them; 0 is the first channel. */
export function nextStepAfter(steps: readonly FallbackStep[], leg: number): NextFallbackStep | undefined {
  const next = steps[leg];
  if (next === undefined) return undefined;
  const waits = steps.slice(0, leg + 1).map(({ after }) => after ?? Number.POSITIVE_INFINITY);
  const patience = waits.reduce((sum, wait) => sum + wait, 0);
  return { leg: leg + 1, after: next.after, patience: Number.isFinite(patience) ? patience : undefined };
}
