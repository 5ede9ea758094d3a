/** Which carriers a message goes to, and in which order: those of its route, or the simulator for a test key. */
import { type Channel, isSpoken } from '../core/destination/channel.ts';
import type { Destination } from '../core/destination/destination.ts';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import type { FallbackStep } from '../core/sending/fallback-steps.ts';
import type { Route, RouteFinder } from '../core/sending/routing.ts';
import type { RankedCarrier } from './order.ts';
import type { Router } from './router.ts';
import type { Speakers } from './speakers.ts';

/** Called for each choice with a live key that reaches no telephone. */
export type OnLiveSimulated = (channel: Channel) => void;

/** For one round of one message; empty if its route is gone, or the channel that it would go by now. */
export type ChooseCarriers = (message: OutgoingMessage) => readonly RankedCarrier[];

interface ChooserParts {
  readonly findRoute: RouteFinder;
  /** A channel after the first of a message that was asked for on this one; undefined if no route has it. */
  readonly findLeg: (from: Channel, destination: Destination, leg: number) => FallbackStep | undefined;
  readonly router: Pick<Router, 'order'>;
  readonly speakers: Pick<Speakers, 'keepAble'>;
  /** Routes over which live keys reach only the simulator. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly onLiveSimulated: OnLiveSimulated;
}

const SIMULATOR: readonly RankedCarrier[] = [{ carrier: 'simulator', why: null }];

export function createChooser({
  findRoute,
  findLeg,
  router,
  speakers,
  simulatedRoutes,
  onLiveSimulated,
}: ChooserParts): ChooseCarriers {
  function routeOf({ channel, destination, fallback }: OutgoingMessage): Route | undefined {
    if (fallback !== undefined) return findLeg(fallback.from, destination, fallback.leg)?.route;
    const found = findRoute(channel, destination);
    return found.ok ? found.route : undefined;
  }

  return (message) => {
    const { test, channel, destination, locale } = message;
    if (test) return SIMULATOR;
    const route = routeOf(message);
    if (route === undefined) return [];
    if (simulatedRoutes.has(route)) onLiveSimulated(channel);
    const ranked = router.order(route, destination);
    return isSpoken(channel) ? speakers.keepAble(ranked, locale) : ranked;
  };
}
