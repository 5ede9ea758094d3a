/** Wires up the service: configuration, store, carriers, delivery, HTTP. Starts it and stops it gracefully. */
import { hostname } from 'node:os';
import { createOptOuts } from './accounts/blocking/opt-outs.ts';
import { createIsSuccessor } from './accounts/key-succession.ts';
import { createKeys } from './accounts/keys.ts';
import { ensurePresetKey } from './accounts/preset-key.ts';
import { openAlerts } from './alerts/index.ts';
import { ensureSecret } from './config/secret.ts';
import type { Config } from './config/table/schema.ts';
import { warnAtStart } from './config/warn-at-start.ts';
import { UNWATCHED } from './core/progress.ts';
import { HASH_MARK } from './core/secrets/keyed-hash.ts';
import { Keyring } from './core/secrets/keyring.ts';
import { createNumberVerifier } from './core/verification/by-number/by-number.ts';
import { createFindNumberHashes } from './core/verification/by-number/number-hashes.ts';
import { createInquiry, createLookUp } from './core/verification/reading/inquiry.ts';
import { logBreakers } from './delivery/breaker-log.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { HealthReporter } from './delivery/health.ts';
import { UnusableReceipts } from './delivery/unusable-receipts.ts';
import { openEvents } from './events/index.ts';
import { openGuard } from './guard/live/index.ts';
import { createAdmission } from './http/admission/admission.ts';
import { hostToListenOn, listen } from './http/connection/listen.ts';
import { openPlainPort } from './http/connection/plain-port.ts';
import { findTransport, makesCertificate } from './http/connection/transport.ts';
import { createReceiptDesk } from './http/routes/carrier-receipts.ts';
import { createMessageReader } from './http/routes/simulator-messages.ts';
import { createHttpServer, MAX_CONNECTIONS } from './http/server.ts';
import { createProposals } from './proposal/index.ts';
import type { Generation } from './reload/generation.ts';
import { Current } from './reload/index.ts';
import type { Service } from './service.ts';
import { watchDamage } from './store/damage-watch.ts';
import { watchFreeBytes } from './store/free-space.ts';
import { openStore } from './store/open.ts';
import { schedulePurge } from './store/schedule-purge.ts';
import { watchClock } from './store/watch-clock.ts';
import { createBudgetWatch } from './telemetry/budget-watch.ts';
import { watchDescriptors } from './telemetry/descriptors.ts';
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
  parts.use(watchDescriptors(MAX_CONNECTIONS, logger));
  // The store starts in its thread while another process makes the certificate on a first start.
  const [store, transport, portal] = await Promise.all([
    openStore(config, { exclusive: true, onDamage: damage.note, onProgress, log: log.note }),
    findTransport(config, logger),
    import('./portal/index.ts'),
  ]);
  parts.defer(() => store.close());
  if (store.database !== undefined) metrics.watchDatabase(store.database);
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
  const funnel = logBreakers(health.watch(metrics), log.note);

  const unusable = new UnusableReceipts({ store, funnel, log: log.note });
  parts.defer(() => unusable.stop());
  const receive = unusable.watch((receipt) => dispatcher.receive(receipt));
  const publicUrl = config.publicUrl?.replace(/\/$/, '');
  const hear = createOptOuts({ store, keyring, now: clock.now, count: metrics.heard, log: log.note });
  const guard = parts.use(
    openGuard({
      ...{ keyring, clock, store, metrics, log },
      priceOf: (...priced) => current.generation.priceOf(...priced),
    }),
  );
  const common = { config, keyring, clock, store, metrics, log };
  const events = parts.use(openEvents(common));
  const alerts = parts.use(openAlerts({ ...common, transport }));

  const countsBefore = await store.holdsOtherHashes(HASH_MARK, clock.now() - config.retention.verifications);
  const findNumberHashes = createFindNumberHashes(keyring, store, countsBefore);
  const current = await Current.open(config, {
    ...{ clock, store, keyring, guard, funnel, publicUrl, log: log.note },
    carrierPorts: { receive, hear, unusable: unusable.note, log: log.note },
    trace: tracing.carriers,
    verifications: tracing.verifications(store),
    budgetWatch: createBudgetWatch(metrics, log.note, guard.budgetWatch),
    handOver: (...handed) => dispatcher.accept(...handed),
    countsBefore,
    findNumberHashes,
    onLiveSimulated: metrics.liveSimulated,
    onChange: (changed) => {
      logger.level = changed.log.level;
      return warnAtStart(changed, keys, logger);
    },
  });
  parts.use(current.start());
  metrics.watchBudgets(() => current.generation.readRatios());
  const open: Generation['open'] = (sealed) => current.generation.open(sealed);
  const dispatcher = new Dispatcher(
    {
      ...{ clock, funnel, open, log: log.note },
      queue: tracing.queue(store),
      get terms() {
        return current.terms;
      },
      get gates() {
        return current.gates;
      },
      recipientTags: keyring.recipientTags,
    },
    { lease },
  );
  parts.defer(() => dispatcher.stop());
  dispatcher.start();

  const watched = { keys: events.watch(keys), store, damage, clock: clockWatch };
  const admission = parts.use(createAdmission({ ...watched, log: logger }));
  const isSuccessor = createIsSuccessor(store);
  const lookUp = createLookUp({ clock, store, keyring, isSuccessor });
  const server = await createHttpServer(
    {
      verifier: () => current.generation.verifier,
      inquire: createInquiry(lookUp),
      numbers: createNumberVerifier({
        ...{ clock, store, keyring, countsBefore, findNumberHashes, lookUp, funnel },
        ...{ sentry: current.sentry, code: config.code },
      }),
      ...admission,
      receipts: createReceiptDesk(publicUrl, current.carriersOf, {
        ...{ receive, hear, unusable: unusable.note },
      }),
      portal: portal.createPortal({
        ...{ store, keyring, current, alerts, open, log: logger },
        configuration: createProposals(current),
        ownCertificate: makesCertificate(config),
      }),
      metrics: { ...metrics, contentType: METRICS_TYPE },
      messages: createMessageReader({ inbox: store, keyring, open, isSuccessor, clock: store.clock }),
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
    reload: (...asked) => current.reload(...asked),
    openSetup: () => portal.openSetup(store, Date.now()),
    findFrontEnd: portal.findFrontEnd,
    stop: () => running.disposeAsync(),
  };
}
