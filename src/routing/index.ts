/** Puts routing together: which carriers a message goes to, what it costs there, and what is learnt about them. */

import type { TallyStore } from '../core/counting/tally.ts';
import { type Channel, isSpoken } from '../core/destination/channel.ts';
import type { Destination } from '../core/destination/destination.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Carrier, OutgoingMessage } from '../core/sending/carrier.ts';
import {
  compileFallbackSteps,
  type FallbackStep,
  type FindFallbackSteps,
  type NextFallbackStep,
  nextStepAfter,
} from '../core/sending/fallback-steps.ts';
import type { PriceList } from '../core/sending/prices.ts';
import { compileRoutes, type Route, type RouteFinder } from '../core/sending/routing.ts';
import type { UniformRandom } from './beta.ts';
import { type ChooseCarriers, createChooser, type OnLiveSimulated } from './chooser.ts';
import type { RankedCarrier } from './order.ts';
import { createRouter, type Router } from './router.ts';
import { type LearningLog, scheduleLearning } from './schedule-learning.ts';
import { createSpeakers, type Speakers } from './speakers.ts';

interface RoutingParts {
  readonly routes: readonly Route[];
  readonly carriers: readonly Carrier[];
  readonly priceOf: PriceList;
  readonly tallies: TallyStore;
  readonly random: UniformRandom;
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly onLiveSimulated: OnLiveSimulated;
}

export interface Routing {
  readonly findRoute: RouteFinder;
  readonly choose: ChooseCarriers;
  readonly findSteps: FindFallbackSteps;
  /** The route that a message was asked for on; undefined if it is gone. */
  routeOf(message: OutgoingMessage): Route | undefined;
  /** A channel after the first, for a message that was asked for on this one; undefined if no route has it. */
  findLeg(from: Channel, destination: Destination, leg: number): FallbackStep | undefined;
  /** What a message goes by if its channel does not reach. */
  nextFallbackStep(message: OutgoingMessage): NextFallbackStep | undefined;
  readonly canSpeak: Speakers['serve'];
  readonly speechOf: Speakers['how'];
  /** The most likely order of a route's carriers, without those that have no voice for a call in the language. */
  explain(route: Route, destination: Destination, locale: string): readonly RankedCarrier[];
  readonly costOf: Router['costOf'];
  /** Learns once what has been counted, if any route chooses by quality. Rejects with a StoreFailure. */
  warm(now: number): Promise<void>;
  /** Learns until it is disposed, if any route chooses by quality. */
  learn(clock: Clock, log: LearningLog): Disposable | undefined;
}

export function createRouting(parts: RoutingParts): Routing {
  const { routes, carriers, priceOf, tallies, random, simulatedRoutes, onLiveSimulated } = parts;
  const findRoute = compileRoutes(routes);
  const findSteps = compileFallbackSteps(routes, findRoute);
  const legsFrom = (from: Channel, destination: Destination) => {
    const found = findRoute(from, destination);
    return found.ok ? findSteps(found.route, destination) : [];
  };
  const findLeg = (from: Channel, destination: Destination, leg: number) =>
    legsFrom(from, destination)[leg - 1];
  const hasLegs = routes.some(({ then }) => then !== undefined);
  const speakers = createSpeakers(carriers);
  const router = createRouter(routes, { tallies, priceOf, random });
  return {
    findRoute,
    choose: createChooser({ findRoute, findLeg, router, speakers, simulatedRoutes, onLiveSimulated }),
    findSteps,
    findLeg,
    routeOf({ channel, destination, fallback }) {
      const found = findRoute(fallback?.from ?? channel, destination);
      return found.ok ? found.route : undefined;
    },
    nextFallbackStep({ channel, destination, fallback, only }) {
      if (!hasLegs || only !== undefined) return undefined;
      return nextStepAfter(legsFrom(fallback?.from ?? channel, destination), fallback?.leg ?? 0);
    },
    canSpeak: speakers.serve,
    speechOf: speakers.how,
    explain: (route, destination, locale) => {
      const order = router.explain(route, destination);
      return isSpoken(route.channel) ? speakers.keepAble(order, locale) : order;
    },
    costOf: router.costOf,
    warm: async (now) => {
      if (router.learns) await router.quality.learn(now);
    },
    learn: (clock, log) => (router.learns ? scheduleLearning(router.quality, clock, log) : undefined),
  };
}
