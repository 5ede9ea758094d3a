/** Carriers, routes, and what would happen to a message, for the portal's routes. */
import type { Clock } from '../../core/clock.ts';
import type { TallyStore } from '../../core/counting/tally.ts';
import type { Answer, Question, RoutingView } from './contract.ts';
import { type AskingKey, type ExplainDeps, explainNumber } from './explain.ts';
import type { Current } from './in-effect.ts';
import { Pace } from './pace.ts';
import { viewRouting } from './view.ts';

export interface CarriersDeps extends ExplainDeps {
  readonly clock: Clock;
  readonly current: Current;
  readonly tallies: TallyStore;
}

export interface CarriersLookup {
  /** How often an account may have something explained. */
  readonly pace: Pace;
  view(accountId: string): Promise<RoutingView>;
  explain(accountId: string, question: Question, key: AskingKey | undefined): Promise<Answer>;
}

const PER_MINUTE = 30;

export const createCarriersLookup = (deps: CarriersDeps): CarriersLookup => ({
  pace: new Pace(deps.clock, PER_MINUTE),
  view: (accountId) => viewRouting(deps.current, deps.tallies, accountId, deps.clock.wall()),
  explain: (accountId, question, key) =>
    explainNumber(deps, deps.current.generation, accountId, question, key, deps.clock.wall()),
});
