/** Which carriers a message goes to, and in which order: those of its route, or the simulator for a test key. */
import { type Channel, isSpoken } from '../core/destination/channel.ts';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import type { Route, RouteFinder } from '../core/sending/routing.ts';
import type { RankedCarrier } from './order.ts';
import type { Router } from './router.ts';
import type { Speakers } from './speakers.ts';

/** Called for each choice with a live key that reaches no telephone. */
export type OnLiveSimulated = (channel: Channel) => void;

/** For one round of one message; empty if its route is gone. */
export type ChooseCarriers = (message: OutgoingMessage) => readonly RankedCarrier[];

interface ChooserParts {
  readonly findRoute: RouteFinder;
  readonly router: Pick<Router, 'order'>;
  readonly speakers: Pick<Speakers, 'keepAble'>;
  /** Routes over which live keys reach only the simulator. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly onLiveSimulated: OnLiveSimulated;
}

const SIMULATOR: readonly RankedCarrier[] = [{ carrier: 'simulator', why: null }];

export function createChooser({
  findRoute,
  router,
  speakers,
  simulatedRoutes,
  onLiveSimulated,
}: ChooserParts): ChooseCarriers {
  return ({ test, channel, destination, locale }) => {
    if (test) return SIMULATOR;
    const found = findRoute(channel, destination);
    if (!found.ok) return [];
    if (simulatedRoutes.has(found.route)) onLiveSimulated(channel);
    const ranked = router.order(found.route, destination);
    return isSpoken(channel) ? speakers.keepAble(ranked, locale) : ranked;
  };
}
