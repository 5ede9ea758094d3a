/**
 * Everything that follows from the options that may change while the service runs, made from one configuration. It never
 * changes: another configuration makes another one, which takes its place at once, so that nobody sees half of each.
 */
import { loadTypeOf } from '../carriers/registry.ts';
import type { Config } from '../config/table/schema.ts';
import { findSimulated } from '../config/warnings.ts';
import { createSpending } from '../core/budgets/spending.ts';
import { type Channel, offeredBy } from '../core/destination/channel.ts';
import { createScreens } from '../core/destination/never-sent.ts';
import type { Lookups } from '../core/lookups/lookup.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { type OutgoingMessage, SIMULATOR } from '../core/sending/carrier.ts';
import { createDailyCaps, type DailyCaps } from '../core/sending/daily-caps.ts';
import type { SealedMessage } from '../core/sending/delivery.ts';
import { createPriceList, type PriceList, withFreeSimulator } from '../core/sending/prices.ts';
import { type Route, THEN } from '../core/sending/routing.ts';
import { AccountLimits } from '../core/verification/account-limits.ts';
import { type CarrierTester, routesOver } from '../core/verification/carrier-test.ts';
import type { Endings } from '../core/verification/endings.ts';
import { shownLimit } from '../core/verification/limits.ts';
import { createReopen } from '../core/verification/reopen.ts';
import type { VerifierPort } from '../core/verification/request.ts';
import type { ResolverDeps } from '../core/verification/resolve.ts';
import { Verifier, type VerifierDeps } from '../core/verification/verifier.ts';
import type { RoundConfiguration } from '../delivery/dispatcher.ts';
import { lineUp } from '../delivery/gate/gates.ts';
import type { openGuard } from '../guard/live/index.ts';
import { createRouting, type Routing } from '../routing/index.ts';
import { type PlanMessage, planMessage } from '../routing/plan.ts';
import type { Store } from '../store/port.ts';
import { Rounds } from './rounds.ts';
import type { CarriersDraft, RunningCarriers } from './running-carriers.ts';

export interface GenerationParts
  extends Pick<
    VerifierDeps,
    'clock' | 'random' | 'budgetWatch' | 'handOver' | 'findNumberHashes' | 'deliveryMetrics'
  > {
  readonly endings: Omit<Endings, 'length'>;
  readonly keyring: Keyring;
  readonly store: Store;
  readonly verifications: VerifierDeps['store'];
  /** Undefined if none is configured. */
  readonly lookups: Lookups | undefined;
  readonly guard: Pick<ReturnType<typeof openGuard>, 'portUnder'>;
  /** Told of each message of a live key that reaches no telephone. */
  readonly onLiveSimulated: (channel: Route['channel']) => void;
}

export interface Generation {
  readonly config: Config;
  readonly lookups: Lookups | undefined;
  readonly accountLimits: AccountLimits;
  /** The routes over which live keys reach only the simulator. */
  readonly simulatedRoutes: ReadonlySet<Route>;
  readonly leaves: (route: Route) => boolean;
  readonly verifier: VerifierPort & CarrierTester;
  /** By what a test of a carrier is resolved. */
  readonly testResolver: (carrier: string) => ResolverDeps;
  /** The channels that a carrier serves; none of one that is not configured. */
  readonly channelsOf: (carrier: string) => Promise<readonly Channel[]>;
  /** By what a request is resolved. */
  readonly resolver: ResolverDeps;
  /** What would happen to a message over one of its routes. */
  readonly plan: PlanMessage;
  readonly guardPort: ReturnType<GenerationParts['guard']['portUnder']>;
  readonly roundConfiguration: RoundConfiguration;
  readonly priceOf: PriceList;
  readonly readRatios: () => Promise<Iterable<readonly [string, number]>>;
  /** Opens what the queue keeps sealed. */
  readonly open: (sealed: SealedMessage) => OutgoingMessage;
  readonly routing: Routing;
  readonly caps: DailyCaps;
  readonly draft: CarriersDraft;
  readonly rounds: Rounds;
}

/** Rejects with an error that names the option if a carrier cannot be made. */
export async function createGeneration(
  config: Config,
  {
    clock,
    random,
    store,
    verifications,
    lookups,
    keyring,
    guard,
    deliveryMetrics,
    endings,
    onLiveSimulated,
    ...parts
  }: GenerationParts,
  carriers: RunningCarriers,
  before?: Generation,
): Promise<Generation> {
  const { routes, guard: guardOptions, messages } = config;
  const simulatedRoutes = new Set(findSimulated(config));
  const caps = createDailyCaps(store, clock, config, before?.caps.all);
  const draft = await carriers.draft(config.carriers, caps.ofCarrier);
  const priceOf = createPriceList(config);
  const routing = createRouting({
    ...{ routes, priceOf, carriers: draft.carriers, tallies: store, simulatedRoutes },
    ...{ random: random.fraction, onLiveSimulated },
  });
  const { findBudgets, findLack, readRatios } = createSpending(
    config,
    simulatedRoutes,
    routing.findSteps,
    routing.routeOf,
    store,
    clock.now,
  );
  const guardPort = guard.portUnder({ mode: guardOptions.mode, exempt: simulatedRoutes });
  const gates = lineUp(draft.gates);
  const rounds = new Rounds();
  const resolver: ResolverDeps = {
    ...{ findBudgets, messages, findRoute: routing.findRoute, canSpeak: routing.canSpeak },
    screens: createScreens(guardOptions.neverSend),
    countries: guardOptions.countries,
    capOf: caps.ofRoute,
    shownLimit: shownLimit(config.limits.sendsPerDestination),
  };
  /** A test of the simulator has a route of its own. */
  const leaves = (route: Route) =>
    !simulatedRoutes.has(route) &&
    (route[THEN] !== undefined || route.carriers.some((name) => config.carriers[name]?.type !== SIMULATOR));
  const accountLimits = new AccountLimits(config.limits, config.accounts);
  return {
    config,
    lookups,
    accountLimits,
    simulatedRoutes,
    leaves,
    verifier: new Verifier({
      ...resolver,
      channels: offeredBy(routes.map(({ channel }) => channel)),
      ...{ clock, random, store: verifications, keyring, guardPort, deliveryMetrics, findLack },
      ...parts,
      ...{ accountLimits, code: config.code },
      lookups: lookups && { lookups, records: store, leaves },
      endings: { ...endings, length: config.code.endingLength },
      lease: config.delivery.lease,
    }),
    resolver,
    testResolver: (carrier) => ({ ...resolver, findRoute: routesOver(carrier, resolver.findRoute) }),
    channelsOf: async (carrier) => {
      // Names come from outside: `constructor` is none.
      const options = Object.hasOwn(config.carriers, carrier) ? config.carriers[carrier] : undefined;
      return options === undefined ? [] : (await loadTypeOf(options)).channelsOf(options);
    },
    plan: (...asked) => planMessage({ config, routing, priceOf, store }, ...asked),
    guardPort,
    roundConfiguration: {
      clock,
      random,
      currency: config.currency,
      choose: (message) =>
        gates.before(message.only === undefined ? routing.choose(message) : onlyOf(message.only)),
      costOf: routing.costOf,
      nextFallbackStep: routing.nextFallbackStep,
      findLack,
      capOf: ({ test, fallback, destination }) => {
        if (test || fallback === undefined) return undefined;
        const leg = routing.findLeg(fallback.from, destination, fallback.leg);
        return leg && caps.ofRoute(leg.route);
      },
      recipientTag: keyring.recipientTag,
      entered: rounds.entered,
      left: rounds.left,
    },
    priceOf: withFreeSimulator(priceOf, config.carriers),
    readRatios,
    open: createReopen(
      keyring,
      messages,
      config.code.validFor,
      (...leg) => routing.findLeg(...leg)?.route.channel,
    ),
    ...{ routing, caps, draft, rounds },
  };
}

const onlyOf = (carrier: string) => [{ carrier, why: null }];
