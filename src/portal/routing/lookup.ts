/** Carriers, routes, and what would happen to a message, for the portal's routes. */

import type { TallyStore } from '../../core/counting/tally.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Question, RouteAnswer, RoutingView } from './contract.ts';
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
  explain(accountId: string, question: Question, key: AskingKey | undefined): Promise<RouteAnswer>;
}

const PER_MINUTE = 30;

export const createCarriersLookup = (deps: CarriersDeps): CarriersLookup => ({
  pace: new CarrierPace(deps.clock, PER_MINUTE),
  view: (accountId) => viewRouting(deps.current, deps.tallies, accountId, deps.clock.wall()),
  explain: (accountId, question, key) =>
    explainNumber(deps, deps.current.generation, accountId, question, key, deps.clock.wall()),
});
