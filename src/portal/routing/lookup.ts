/** Carriers, routes, and what would happen to a message, for the portal's routes. */

import { listCountryStops } from '../../accounts/guarding/guard-rules.ts';
import type { TallyStore } from '../../core/counting/tally.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { CountriesView, Question, RouteAnswer, RoutingView } from './contract.ts';
import { viewCountries } from './countries.ts';
import { type AskingKey, type ExplainDeps, explainNumber } from './explain.ts';
import type { ActiveGeneration } from './in-effect.ts';
import { CarrierPace } from './pace.ts';
import { viewRouting } from './view.ts';

export interface CarriersDeps extends ExplainDeps {
  readonly clock: Clock;
  readonly current: ActiveGeneration;
  readonly tallies: TallyStore;
}

export interface CarriersLookup {
  /** How often an account may have something explained. */
  readonly pace: CarrierPace;
  view(accountId: string): Promise<RoutingView>;
  viewCountries(accountId: string): Promise<CountriesView>;
  explain(accountId: string, question: Question, key: AskingKey | undefined): Promise<RouteAnswer>;
}

const PER_MINUTE = 30;

export const createCarriersLookup = (deps: CarriersDeps): CarriersLookup => ({
  pace: new CarrierPace(deps.clock, PER_MINUTE),
  view: (accountId) => viewRouting(deps.current, deps.tallies, accountId, deps.clock.wall()),
  viewCountries: async (accountId) => {
    const stops = await listCountryStops(deps.records, { accountId, now: deps.clock.now() });
    return viewCountries(deps.current.generation, stops);
  },
  explain: (accountId, question, key) =>
    explainNumber(deps, deps.current.generation, accountId, question, key, deps.clock.wall()),
});
