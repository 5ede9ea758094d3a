/** Wires up the service: configuration, store, carriers, delivery, HTTP. Starts it and stops it gracefully. */
import { hostname } from 'node:os';
import { createOptOuts } from './accounts/blocking/opt-outs.ts';
import { createKeys } from './accounts/keys.ts';
import { ensurePresetKey } from './accounts/preset-key.ts';
import { openAlerts } from './alerts/index.ts';
import { createCarriers, startCarriers } from './carriers/index.ts';
import { ensureSecret } from './config/secret.ts';
import type { Config } from './config/table/schema.ts';
import { warnAtStart } from './config/warn-at-start.ts';
import { findSimulated } from './config/warnings.ts';
import { createSpending } from './core/budgets/spending.ts';
import { createScreens } from './core/destination/never-sent.ts';
import { UNWATCHED } from './core/progress.ts';
import { HASH_MARK } from './core/secrets/keyed-hash.ts';
import { Keyring } from './core/secrets/keyring.ts';
import { createDailyCaps } from './core/sending/daily-caps.ts';
import { createNumberVerifier } from './core/verification/by-number/by-number.ts';
import { shownLimit } from './core/verification/limits.ts';
import { createInquiry } from './core/verification/reading/inquiry.ts';
import { createReopen } from './core/verification/reopen.ts';
import { Verifier } from './core/verification/verifier.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { createGates } from './delivery/gate/gates.ts';
import { HealthReporter } from './delivery/health.ts';
import { openEvents } from './events/index.ts';
import { openGuard } from './guard/live/index.ts';
import { createAdmission } from './http/admission/admission.ts';
import { hostToListenOn, listen } from './http/connection/listen.ts';
import { openPlainPort } from './http/connection/plain-port.ts';
import { findTransport, makesCertificate } from './http/connection/transport.ts';
import { createReceiptDesk } from './http/routes/carrier-receipts.ts';
import { createMessageReader } from './http/routes/simulator-messages.ts';
import { createHttpServer } from './http/server.ts';
import { createRouting } from './routing/index.ts';
import type { Service } from './service.ts';
import { watchDamage } from './store/damage-watch.ts';
import { watchFreeBytes } from './store/free-space.ts';
import { openStore } from './store/open.ts';
import { schedulePurge } from './store/schedule-purge.ts';
import { watchClock } from './store/watch-clock.ts';
import { createBudgetWatch } from './telemetry/budget-watch.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics, METRICS_TYPE } from './telemetry/metrics.ts';
import { prepareTracing } from './tracing/index.ts';
import { NODE_VERSION, VERSION } from './version.ts';

/** Starts the service. Rejects, leaving nothing open, if a part cannot start. `onProgress` hears of a migration. */
export async function serve(config: Config, onProgress = UNWATCHED): Promise<Service> {
  await using parts = new AsyncDisposableStack();
  const traces = await prepareTracing(config);
  const log = createLog(config.log.level, { fields: traces.logFields });
  const { logger } = log;
  logger.info({ version: VERSION, node: NODE_VERSION }, 'starting');
  parts.defer(() => log.close());
  const metrics = createMetrics({ freeBytes: watchFreeBytes(config) });

  const keyring = new Keyring(config.secret ?? ensureSecret(config.dataDir), config.previousSecret);
  const damage = watchDamage(logger);
  // The store starts in its thread while another process makes the certificate on a first start.
  const [store, transport, portal] = await Promise.all([
    openStore(config, { exclusive: true, onDamage: damage.note, onProgress }),
    findTransport(config, logger),
    import('./portal/index.ts'),
  ]);
  parts.defer(() => store.close());
  const tracing = parts.use(traces.open({ records: store, count: metrics.spans, log: log.note }));
  const keys = createKeys(store);
  await ensurePresetKey(config.bootstrap.key, keys, logger, Date.now());
  const { lease } = config.delivery;
  const clockWatch = parts.use(watchClock({ store, lease, see: metrics.clockOffset, log: logger }));
  const { clock } = clockWatch;
  parts.use(schedulePurge(store, logger));
  parts.use(portal.scheduleSweep(store, { keyring, retention: config.retention, log: logger }));

  const health = new HealthReporter({ clock, store, node: `${hostname()}/${process.pid}`, log: log.note });
  parts.defer(() => health.stop());
  const funnel = health.watch(metrics);

  const receive: Dispatcher['receive'] = (receipt) => dispatcher.receive(receipt);
  const publicUrl = config.publicUrl?.replace(/\/$/, '');
  const hear = createOptOuts({ store, keyring, now: clock.now, count: metrics.heard, log: log.note });
  const carriers = await createCarriers(config, { receive, hear, log: log.note }, publicUrl);
  const caps = parts.use(createDailyCaps(store, clock, config));
  const gates = createGates(tracing.carriers(carriers), config.carriers, {
    ...{ capOf: caps.ofCarrier, budget: store.budget, clock, funnel },
  });
  const simulatedRoutes = new Set(findSimulated(config));
  const routing = createRouting({
    ...{ routes: config.routes, prices: config, carriers, tallies: store, simulatedRoutes },
    onLiveSimulated: metrics.liveSimulated,
  });
  parts.use(routing.learn(clock.now, (...noted) => log.note('warn', ...noted)));
  const { findBudgets, readRatios } = createSpending(config, simulatedRoutes, store, clock.now);
  metrics.watchBudgets(readRatios);
  const common = { config, keyring, clock, store, metrics, log };
  const guard = parts.use(openGuard({ ...common, simulatedRoutes }));
  const events = parts.use(openEvents(common));
  const alerts = parts.use(openAlerts({ ...common, transport }));
  const countsBefore = await store.holdsOtherHashes(HASH_MARK, clock.now() - config.retention.verifications);
  const verifier = new Verifier({
    clock,
    store: tracing.verifications(store),
    keyring,
    screens: createScreens(config.guard.neverSend),
    countries: config.guard.countries,
    findRoute: routing.findRoute,
    canSpeak: routing.canSpeak,
    capOf: caps.ofRoute,
    sentry: guard.sentry,
    findBudgets,
    budgetWatch: createBudgetWatch(metrics, log.note, guard.budgetWatch),
    handOver: (...handed) => dispatcher.accept(...handed),
    countsBefore,
    funnel,
    code: config.code,
    messages: config.messages,
    shownLimit: shownLimit(config.limits.sendsPerDestination),
    lease,
  });
  const reopen = createReopen(keyring, config.messages);
  const dispatcher = new Dispatcher(
    {
      clock,
      queue: tracing.queue(store),
      gates: gates.all,
      choose: (message) => gates.before(routing.choose(message)),
      costOf: routing.costOf,
      open: reopen,
      ...{ recipientTag: keyring.recipientTag, recipientTags: keyring.recipientTags },
      funnel,
      log: log.note,
    },
    { lease },
  );
  parts.use(startCarriers(carriers));
  parts.defer(() => dispatcher.stop());
  dispatcher.start();

  const watched = { keys: events.watch(keys), store, damage, clock: clockWatch };
  const admission = parts.use(createAdmission({ ...watched, log: logger }));
  const inquire = createInquiry({ clock, store, keyring });
  const { sentry } = guard;
  const server = await createHttpServer(
    {
      verifier,
      inquire,
      numbers: createNumberVerifier({ clock, store, keyring, inquire, funnel, sentry, code: config.code }),
      ...admission,
      receipts: createReceiptDesk(publicUrl, carriers, { receive, hear }),
      portal: portal.createPortal({
        ...{ store, keyring, config, simulatedRoutes, alerts, log: logger },
        ownCertificate: makesCertificate(config),
        open: reopen,
      }),
      metrics: { ...metrics, contentType: METRICS_TYPE },
      messages: createMessageReader(store, keyring, reopen),
      log: logger,
      trace: tracing.requests,
    },
    { transport, metricsToken: config.metrics.token, hooks: config.hooks },
  );
  parts.defer(() => server.close());
  const host = hostToListenOn(config.host);
  parts.use(await openPlainPort(config.plain, host, { revoke: admission.revoke, metrics, log: logger }));
  // Before serving: a store that fails now fails the start and not a running service.
  await Promise.all([guard.loaded, warnAtStart(config, keys, logger)]);
  const port = await listen(server, config.port, host);
  logger.info({ port }, 'serving');

  const running = parts.move();
  return {
    port,
    keys,
    openSetup: () => portal.openSetup(store, Date.now()),
    findFrontEnd: portal.findFrontEnd,
    stop: () => running.disposeAsync(),
  };
}
