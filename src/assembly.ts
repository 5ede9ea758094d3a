/** Joins the parts of the service between its store and its socket. Whatever is outside is handed in: a simulated world has its own. */
import { noteMessengerUser } from './accounts/blocking/messenger-users.ts';
import { createOptOuts } from './accounts/blocking/opt-outs.ts';
import { createFeedback } from './accounts/guarding/feedback.ts';
import { createIsSuccessor } from './accounts/key-succession.ts';
import { createKeys } from './accounts/keys.ts';
import { ensurePresetKey } from './accounts/preset-key.ts';
import { createEndingStore } from './accounts/used-endings.ts';
import { openAlerts } from './alerts/index.ts';
import type { createCarriers } from './carriers/index.ts';
import type { Config } from './config/table/schema.ts';
import { warnAtStart } from './config/warn-at-start.ts';
import type { Clock } from './core/seams/clock.ts';
import type { Random } from './core/seams/random.ts';
import type { Keyring } from './core/secrets/keyring.ts';
import { createNumberVerifier } from './core/verification/by-number/by-number.ts';
import { createFindNumberHashes } from './core/verification/by-number/number-hashes.ts';
import { createInquiry, createLookUp } from './core/verification/reading/inquiry.ts';
import { logBreakers } from './delivery/breaker-log.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { createIsElsewhere } from './delivery/elsewhere.ts';
import { HealthReporter } from './delivery/health.ts';
import { createReceive } from './delivery/receipts.ts';
import { UnusableReceipts } from './delivery/unusable-receipts.ts';
import { openEvents } from './events/index.ts';
import type { createPost } from './events/post.ts';
import { openGuard } from './guard/live/index.ts';
import type { Bounds } from './guard/parameters.ts';
import { createAdmission } from './http/admission/admission.ts';
import { makesCertificate, type Transport } from './http/connection/transport.ts';
import { createReceiptHandler } from './http/routes/carrier-receipts.ts';
import { createMessageReader } from './http/routes/simulator-messages.ts';
import { createHttpServer } from './http/server.ts';
import type { LookupPorts } from './lookups/asked-provider.ts';
import { loadLookups } from './lookups/load.ts';
import type * as Portal from './portal/index.ts';
import { createProposals } from './proposal/index.ts';
import { ActiveConfiguration } from './reload/active-configuration.ts';
import type { Generation } from './reload/generation.ts';
import type { DamageWatch } from './store/damage-watch.ts';
import type { Store } from './store/port.ts';
import { schedulePurge } from './store/schedule-purge.ts';
import { watchClock } from './store/watch-clock.ts';
import { createBudgetWatch } from './telemetry/budget-watch.ts';
import { createEndingWatch } from './telemetry/ending-watch.ts';
import type { ServiceLog } from './telemetry/log.ts';
import { type createMetrics, METRICS_TYPE } from './telemetry/metrics.ts';
import type { TracingDraft } from './tracing/ports.ts';

const ALERTS_MS = 60_000;

/** What the service runs in. */
export interface Surroundings {
  readonly config: Config;
  /** This machine's. */
  readonly machine: Clock;
  readonly random: Random;
  readonly keyring: Keyring;
  readonly store: Store;
  readonly damage: DamageWatch;
  readonly log: ServiceLog;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly traces: TracingDraft;
  readonly transport: Transport;
  readonly portal: Pick<typeof Portal, 'createPortal' | 'scheduleSweep'>;
  readonly createCarriers: typeof createCarriers;
  /** Loads what posts to endpoints of webhooks. */
  readonly loadPost: () => Promise<{ readonly createPost: typeof createPost }>;
  /** How providers of look-ups are reached, if not over the network. */
  readonly connectLookups?: LookupPorts['connect'];
  /** How much the guard remembers. */
  readonly guardBounds?: Bounds;
  /** How often the rules of alerts are looked at. */
  readonly alertsMs?: number | undefined;
  /** Its data goes away when it ends. */
  readonly isDemo?: boolean;
  /** The name of this node. */
  readonly node: string;
}

/** Starts the parts in `parts`, which ends them. The server is ready to listen, or for `inject`. */
export async function assemble(parts: AsyncDisposableStack, surroundings: Surroundings) {
  const { config, machine, random, keyring, store, damage, log, metrics, transport, portal } = surroundings;
  const { logger } = log;
  const tracing = parts.use(
    surroundings.traces.open({ clock: machine, random, records: store, count: metrics.spans, log: log.note }),
  );
  const keys = createKeys(store);
  await ensurePresetKey(config.bootstrap.key, keys, logger, machine.wall(), random);
  const { lease } = config.delivery;
  const clockWatch = parts.use(watchClock({ store, lease, see: metrics.clockOffset, log: logger }));
  const { clock, aged } = clockWatch;
  parts.use(schedulePurge(store, aged, logger));
  parts.use(portal.scheduleSweep(store, { clock, aged, keyring, retention: config.retention, log: logger }));

  const health = new HealthReporter({ clock, store, node: surroundings.node, log: log.note });
  parts.defer(() => health.stop());
  const deliveryMetrics = logBreakers(health.watch(metrics), log.note);

  const unusable = new UnusableReceipts({ clock, store, deliveryMetrics, log: log.note });
  parts.defer(() => unusable.stop());
  const queue = tracing.queue(store);
  const apply = createReceive({
    ...{ clock, queue, deliveryMetrics, recipientTags: keyring.recipientTags },
    currency: () => current.roundConfiguration.currency,
  });
  const receive = unusable.watch(async (receipt) => {
    const outcome = await apply(receipt);
    await noteMessengerUser({ records: store, keyring }, receipt, clock.now());
    return outcome;
  });
  const publicUrl = config.publicUrl?.replace(/\/$/, '');
  const hear = createOptOuts({ store, keyring, clock, count: metrics.heard, log: log.note });
  const guard = parts.use(
    openGuard({
      ...{ keyring, clock, random, store, metrics, log, bounds: surroundings.guardBounds },
      priceOf: (...priced) => current.generation.priceOf(...priced),
    }),
  );
  const common = { config, keyring, clock, random, store, metrics, log };
  const events = parts.use(openEvents({ ...common, loadPost: surroundings.loadPost }));
  const alerts = parts.use(openAlerts({ ...common, transport, everyMs: surroundings.alertsMs ?? ALERTS_MS }));

  const lookups = await loadLookups(config, {
    ...{ clock, random, log: log.note, told: health.watchLookups(metrics.lookedUp) },
    connect: surroundings.connectLookups,
  });
  if (lookups !== undefined) parts.use(lookups);
  const findNumberHashes = createFindNumberHashes(keyring, store);
  const budgetWatch = createBudgetWatch(metrics, log.note, guard.budgetWatch);
  const current = await ActiveConfiguration.open(config, {
    ...{ clock, random, store, keyring, guard, lookups, deliveryMetrics, publicUrl, log: log.note },
    createCarriers: surroundings.createCarriers,
    carrierPorts: { clock, random, receive, hear, unusable: unusable.note, log: log.note },
    trace: tracing.carriers,
    verifications: tracing.verifications(store),
    budgetWatch,
    handOver: (...handed) => dispatcher.accept(...handed),
    findNumberHashes,
    endings: { store: createEndingStore(store, keyring), noneFree: createEndingWatch(log.note, clock) },
    onLiveSimulated: metrics.liveSimulated,
    onChange: (changed) => {
      logger.level = changed.log.level;
      return warnAtStart(changed, { keys, records: store, lookups }, logger, machine.wall());
    },
  });
  parts.use(current.start());
  metrics.watchBudgets(() => current.generation.readRatios());
  const open: Generation['open'] = (sealed) => current.generation.open(sealed);
  const dispatcher = new Dispatcher(
    {
      ...{ clock, queue, deliveryMetrics, budgetWatch, open, log: log.note },
      get roundConfiguration() {
        return current.roundConfiguration;
      },
      get gates() {
        return current.gates;
      },
    },
    { lease },
  );
  parts.defer(() => dispatcher.stop());
  dispatcher.start();

  const admission = parts.use(
    createAdmission({ keys, store, damage, clockWatch, onRevision: events.follow, log: logger }),
  );
  const isSuccessor = createIsSuccessor(store);
  const feedback = createFeedback({ clock, store, guardPort: current.guardPort });
  const lookUp = createLookUp({ clock, store, keyring, isSuccessor });
  const server = await createHttpServer(
    {
      clock,
      random,
      keyring,
      verifier: () => current.generation.verifier,
      inquire: createInquiry(lookUp),
      giveFeedback: feedback.byKey,
      numbers: createNumberVerifier({
        ...{ clock, store, keyring, findNumberHashes, lookUp, deliveryMetrics },
        ...{ guardPort: current.guardPort, code: config.code },
        accountLimits: { apart: (...asked) => current.generation.accountLimits.apart(...asked) },
      }),
      ...admission,
      receipts: createReceiptHandler(publicUrl, current.carriersOf, {
        ...{ receive, hear, unusable: unusable.note },
        isElsewhere: createIsElsewhere(store, surroundings.node, clock),
      }),
      portal: portal.createPortal({
        ...{ clock, store, keyring, current, alerts, open, feedback, log: logger },
        configuration: createProposals(current),
        ownCertificate: makesCertificate(config),
        isDemo: surroundings.isDemo ?? false,
      }),
      metrics: { ...metrics, contentType: METRICS_TYPE },
      messages: createMessageReader({ inbox: store, keyring, open, isSuccessor, clock: store.clock }),
      log: logger,
      logRequest: log.plain,
      trace: tracing.requests,
    },
    { transport, metricsToken: config.metrics.token, hooks: config.hooks },
  );
  parts.defer(() => server.close());
  // Before serving: a store that fails now fails the start and not a running service.
  const warned = warnAtStart(config, { keys, records: store, lookups }, logger, machine.wall());
  await Promise.all([guard.loaded, warned]);
  return { server, keys, current, revoke: admission.revoke };
}
