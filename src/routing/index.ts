/** Puts routing together: which carriers a message goes to, what it costs there, and what is learnt about them. */
import type { Clock } from '../core/clock.ts';
import type { TallyStore } from '../core/counting/tally.ts';
import type { Carrier } from '../core/sending/carrier.ts';
import { createPriceList, type PriceSources } from '../core/sending/prices.ts';
import { compileRoutes, type Route, type RouteFinder } from '../core/sending/routing.ts';
import type { Random } from './beta.ts';
import { type ChooseCarriers, createChooser, type OnLiveSimulated } from './chooser.ts';
import { createRouter, type Router } from './router.ts';
import { type LearningLog, scheduleLearning } from './schedule-learning.ts';
import { createSpeakers, type Speakers } from './speakers.ts';

interface RoutingParts {
  readonly routes: readonly Route[];
  readonly carriers: readonly Carrier[];
  readonly prices: PriceSources;
  readonly tallies: TallyStore;
  readonly random?: Random;
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly onLiveSimulated: OnLiveSimulated;
}

interface Routing {
  readonly findRoute: RouteFinder;
  readonly choose: ChooseCarriers;
  readonly canSpeak: Speakers['serve'];
  readonly costOf: Router['costOf'];
  /** Learns until it is disposed, if any route chooses by quality. */
  learn(now: Clock['now'], log: LearningLog): Disposable | undefined;
}

export function createRouting(parts: RoutingParts): Routing {
  const { routes, carriers, prices, tallies, random = Math.random, simulatedRoutes, onLiveSimulated } = parts;
  const findRoute = compileRoutes(routes);
  const speakers = createSpeakers(carriers);
  const router = createRouter(routes, { tallies, priceOf: createPriceList(prices), random });
  return {
    findRoute,
    choose: createChooser({ findRoute, router, speakers, simulatedRoutes, onLiveSimulated }),
    canSpeak: speakers.serve,
    costOf: router.costOf,
    learn: (now, log) => (router.learns ? scheduleLearning(router.quality, now, log) : undefined),
  };
}
