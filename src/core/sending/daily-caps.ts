/** The daily caps of routes and carriers. */
import type { Clock } from '../clock.ts';
import { DailyCap } from './daily-cap.ts';
import type { QuotaStore } from './quota.ts';
import { nameRoute, type Route } from './routing.ts';

interface Capped {
  readonly routes: readonly Route[];
  readonly carriers: Readonly<Record<string, { readonly dailyCap?: number | undefined }>>;
}

export interface DailyCaps extends AsyncDisposable {
  readonly all: readonly DailyCap[];
  ofRoute(route: Route): DailyCap | undefined;
  ofCarrier(name: string): DailyCap | undefined;
}

/** Routes and carriers share the names of the store's quotas. */
export function createDailyCaps(quotas: QuotaStore, clock: Clock, { routes, carriers }: Capped): DailyCaps {
  const byRoute = new Map<Route, DailyCap>();
  for (const route of routes) {
    const { dailyCap } = route;
    if (dailyCap !== undefined) byRoute.set(route, new DailyCap(quotas, nameRoute(route), dailyCap, clock));
  }
  const byCarrier = new Map<string, DailyCap>();
  for (const [name, { dailyCap }] of Object.entries(carriers)) {
    if (dailyCap !== undefined) {
      byCarrier.set(name, new DailyCap(quotas, `carrier ${name}`, dailyCap, clock));
    }
  }
  return {
    all: [...byRoute.values(), ...byCarrier.values()],
    ofRoute: (route) => byRoute.get(route),
    ofCarrier: (name) => byCarrier.get(name),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...byRoute.values(), ...byCarrier.values()].map((cap) => cap.stop()));
    },
  };
}
