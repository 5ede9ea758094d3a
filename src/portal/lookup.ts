/** What an account can look up: verifications, a number's data, the overview, the carriers, the handset's messages, the guard's back-test, what webhooks say. */
import type { FastifyRequest } from 'fastify';
import type { Role } from '../operations/contract.ts';
import { type CarrierTests, createCarrierTests } from './carrier-tests/carrier-tests.ts';
import type { BacktestDeps, TryGuard } from './guard/backtest.ts';
import { type HandsetDeps, Handsets } from './handset/handset.ts';
import { createNumbers, type Numbers } from './numbers/numbers.ts';
import {
  type CarrierHealthDeps,
  createCarrierHealth,
  type ReadCarrierHealth,
} from './overview/carrier-health.ts';
import { createOverview, type OverviewDeps, type OverviewReader } from './overview/overview.ts';
import { type CarriersDeps, type CarriersLookup, createCarriersLookup } from './routing/lookup.ts';
import { createStart, type ReadStart, type StartDeps } from './start/start.ts';
import {
  createVerifications,
  type Verifications,
  type VerificationsDeps,
} from './verifications/verifications.ts';
import { createEventBodies, type EventBodyDeps, type ReadEventBody } from './webhooks/body.ts';

/** The person's current role in the account that the path names; null if they have none or the session is over. */
type RoleNow = (request: FastifyRequest) => Promise<Role | null>;

export interface LookupDeps
  extends VerificationsDeps,
    HandsetDeps,
    OverviewDeps,
    CarrierHealthDeps,
    CarriersDeps,
    StartDeps,
    BacktestDeps,
    EventBodyDeps {
  readonly roleNow: RoleNow;
}

export interface Lookup {
  readonly verifications: Verifications;
  readonly numbers: Numbers;
  readonly overview: OverviewReader;
  readonly readCarrierHealth: ReadCarrierHealth;
  readonly carriers: CarriersLookup;
  readonly carrierTests: CarrierTests;
  readonly readStart: ReadStart;
  readonly handsets: Handsets;
  readonly tryGuard: TryGuard;
  readonly readEventBody: ReadEventBody;
  readonly roleNow: RoleNow;
}

export const createLookup = (deps: LookupDeps): Lookup => ({
  verifications: createVerifications(deps),
  numbers: createNumbers(deps),
  overview: createOverview(deps),
  readCarrierHealth: createCarrierHealth(deps),
  carriers: createCarriersLookup(deps),
  carrierTests: createCarrierTests(deps),
  readStart: createStart(deps),
  handsets: new Handsets(deps),
  tryGuard: loadBacktest(deps),
  readEventBody: createEventBodies(deps),
  roleNow: deps.roleNow,
});

/** The guard that judges the past has code of its own, which is loaded when somebody first asks. Once: one back-test runs at a time. */
function loadBacktest(deps: BacktestDeps): TryGuard {
  let loading: Promise<TryGuard> | undefined;
  return async (...asked) => {
    loading ??= import('./guard/backtest.ts').then(({ createBacktest }) => createBacktest(deps));
    return (await loading)(...asked);
  };
}
