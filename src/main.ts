/** The service as a process: opens what is outside of it, has it put together, listens, and stops it gracefully. */
import { hostname } from 'node:os';
import { createCarriers } from './carriers/index.ts';
import { ensureSecret } from './config/secret.ts';
import type { Config } from './config/table/schema.ts';
import { UNWATCHED } from './core/reporting/progress.ts';
import { SYSTEM_CLOCK } from './core/seams/clock.ts';
import { SYSTEM_RANDOM } from './core/seams/random.ts';
import { Keyring } from './core/secrets/keyring.ts';
import { hostToListenOn, listen } from './http/connection/listen.ts';
import { openPlainPort } from './http/connection/plain-port.ts';
import { findTransport, MAX_CONNECTIONS } from './http/connection/transport.ts';
import type { Service } from './service.ts';
import { watchDamage } from './store/damage-watch.ts';
import { watchFreeBytes } from './store/free-space.ts';
import { loadStore } from './store/open.ts';
import { watchDescriptors } from './telemetry/descriptors.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import type { ExporterPace } from './tracing/exporter.ts';
import { prepareTracing } from './tracing/index.ts';
import { NODE_VERSION, VERSION } from './version.ts';

/** What a test has a service do sooner than in life. */
export interface TestPace {
  /** How often the rules of alerts are looked at. */
  readonly alertsMs?: number;
  readonly spans?: ExporterPace;
}

interface ServeOptions {
  /** The store is open: from now on messages are sent and requests answered. */
  readonly onWork?: () => void;
  readonly pace?: TestPace | undefined;
  /** Makes others than the configured ones. */
  readonly carriersOf?: typeof createCarriers;
  /** Its data goes away when it ends, and the portal says so. */
  readonly isDemo?: boolean;
}

/** Starts the service. Rejects, leaving nothing open, if a part cannot start. `onProgress` hears of a migration. */
export async function serve(
  config: Config,
  onProgress = UNWATCHED,
  { onWork, pace = {}, carriersOf = createCarriers, isDemo = false }: ServeOptions = {},
): Promise<Service> {
  const [machine, random] = [SYSTEM_CLOCK, SYSTEM_RANDOM];
  await using parts = new AsyncDisposableStack();
  const traces = await prepareTracing(config, pace.spans);
  const log = createLog(config.log.level, { clock: machine, fields: traces.logFields });
  const { logger } = log;
  logger.info({ version: VERSION, node: NODE_VERSION }, 'starting');
  parts.defer(() => log.close());
  const metrics = createMetrics({ clock: machine, freeBytes: watchFreeBytes(config) });

  const keyring = new Keyring(
    config.secret ?? ensureSecret(config.dataDir),
    config.previousSecret,
    machine.wall,
  );
  const damage = watchDamage(logger);
  parts.use(watchDescriptors(machine, MAX_CONNECTIONS, logger));
  const open = await loadStore(config);
  // In this order: the store starts in its thread, and on a first start another process makes the certificate, while this thread is busy
  // with loading everything else.
  const opening = open({
    machine,
    exclusive: true,
    onDamage: damage.note,
    onProgress,
    log: log.note,
  });
  // Whatever fails beside it, it may open yet.
  parts.defer(async () => (await opening.catch(() => undefined))?.close());
  const [store, transport, { assemble }, { createPortal, scheduleSweep, openSetup, findFrontEnd }] =
    await Promise.all([
      opening,
      findTransport(config, logger, opening),
      import('./assembly.ts'),
      import('./portal/index.ts'),
    ]);
  if (store.database !== undefined) metrics.watchDatabase(store.database);
  onWork?.();
  const { server, keys, current, revoke } = await assemble(parts, {
    ...{
      config,
      machine,
      random,
      keyring,
      store,
      damage,
      log,
      metrics,
      traces,
      transport,
      createCarriers: carriersOf,
    },
    portal: { createPortal, scheduleSweep },
    alertsMs: pace.alertsMs,
    isDemo,
    loadPost: () => import('./events/post.ts'),
    node: `${hostname()}/${process.pid}`,
  });
  const host = hostToListenOn(config.host);
  parts.use(await openPlainPort(config.plain, host, { revoke, metrics, log: logger }));
  const port = await listen(server, config.port, host);
  logger.info({ port }, 'serving');

  const running = parts.move();
  return {
    port,
    keys,
    reload: (...asked) => current.reload(...asked),
    openSetup: () => openSetup(store, machine.wall()),
    findFrontEnd,
    stop: () => running.disposeAsync(),
  };
}
