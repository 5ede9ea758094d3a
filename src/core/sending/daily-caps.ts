/** The daily caps of routes and carriers. */
import type { Clock } from '../seams/clock.ts';
import { DailyCap } from './daily-cap.ts';
import type { QuotaStore } from './quota.ts';
import { nameRoute, type Route } from './routing.ts';

interface Capped {
  readonly routes: readonly Route[];
  readonly carriers: Readonly<Record<string, { readonly dailyCap?: number | undefined }>>;
}

export interface DailyCaps {
  readonly all: readonly DailyCap[];
  ofRoute(route: Route): DailyCap | undefined;
  ofCarrier(name: string): DailyCap | undefined;
}

/** Routes and carriers share the names of the store's quotas. What is capped as `before` goes on with the same places. */
export function createDailyCaps(
  quotas: QuotaStore,
  clock: Clock,
  { routes, carriers }: Capped,
  before: readonly DailyCap[] = [],
): DailyCaps {
  const capOf = (name: string, max: number) =>
    before.find((cap) => cap.isSame({ name, max })) ?? new DailyCap(quotas, name, max, clock);
  const byRoute = new Map<Route, DailyCap>();
  for (const route of routes) {
    const { dailyCap } = route;
    if (dailyCap !== undefined) byRoute.set(route, capOf(nameRoute(route), dailyCap));
  }
  const byCarrier = new Map<string, DailyCap>();
  for (const [name, { dailyCap }] of Object.entries(carriers)) {
    if (dailyCap !== undefined) byCarrier.set(name, capOf(`carrier ${name}`, dailyCap));
  }
  return {
    all: [...byRoute.values(), ...byCarrier.values()],
    ofRoute: (route) => byRoute.get(route),
    ofCarrier: (name) => byCarrier.get(name),
  };
}
