/** Wires the service by hand: configuration, store, carriers, delivery, HTTP; starts it, and stops it gracefully. */
import { once } from 'node:events';
import { hostname, networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { createKeys } from './accounts/keys.ts';
import { createCarriers } from './carriers/index.ts';
import type { Config } from './config/schema.ts';
import { ensureSecret } from './config/secret.ts';
import { findSimulated, warnOfProxies, warnOfSimulated } from './config/warnings.ts';
import { hasLiveKey, type KeyStore } from './core/api-key.ts';
import type { Carrier, CarrierLog, OutgoingMessage, Receipt } from './core/carrier.ts';
import type { Clock } from './core/clock.ts';
import { DailyCap } from './core/daily-cap.ts';
import { isSpoken } from './core/destination/channel.ts';
import { parseAnyDestination } from './core/destination/destination.ts';
import { describeError } from './core/error-facts.ts';
import type { BreakerState, Funnel } from './core/funnel.ts';
import { readInbox } from './core/inbox.ts';
import { Keyring } from './core/keyring.ts';
import { createPriceList } from './core/prices.ts';
import type { QuotaStore } from './core/quota.ts';
import { compileRoutes, nameRoute } from './core/routing.ts';
import { Verifier } from './core/verifier.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { createGate, type Gate, type GateOptions } from './delivery/gate.ts';
import { HealthReporter } from './delivery/health.ts';
import { presentReason } from './delivery/reason.ts';
import type { Choice } from './delivery/round.ts';
import { createAuthenticator } from './http/authenticator.ts';
import type { KeyPairFiles } from './http/key-pair.ts';
import { createOverloadGuard } from './http/overload.ts';
import { createPlainPort } from './http/plain-port.ts';
import type { ReceiptDesk } from './http/routes/carrier-receipts.ts';
import { createHttpServer } from './http/server.ts';
import { ensureSelfSigned } from './http/tls.ts';
import type { BuildState } from './portal/build-stamp.ts';
import { createRouter } from './routing/router.ts';
import { scheduleLearning } from './routing/schedule-learning.ts';
import { createSpeakers } from './routing/speakers.ts';
import { watchDamage } from './store/damage-watch.ts';
import { openStore } from './store/open.ts';
import { schedulePurge } from './store/schedule-purge.ts';
import { watchClock } from './store/watch-clock.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics, METRICS_TYPE } from './telemetry/metrics.ts';

export interface Service {
  /** Port of the HTTPS service: the one asked for, or the free one found for 0. */
  readonly port: number;
  readonly keys: KeyStore;
  /** Makes the token by which the portal's first owner is made; undefined when there is one. */
  openSetup(): Promise<string | undefined>;
  /** Whether there is a front end of the portal to serve, and whether it is of this version. */
  findFrontEnd(): Promise<BuildState>;
  /** Stops taking requests, finishes or gives back what is under way, and closes. */
  stop(): Promise<void>;
}

/** Deliveries held in memory at most: some 20 MB. */
const CAPACITY = 10_000;
/** Calls waiting for the store past which new requests are turned away: about half a second of work. */
const MAX_PENDING = 5_000;
/** How late the event loop may run, in ms, before new requests are turned away. */
const MAX_LAG_MS = 500;
const STOP_GRACE_MS = 10_000;

/** Starts the service. Rejects, with nothing left open, when some part of it cannot start. */
export async function serve(config: Config): Promise<Service> {
  await using parts = new AsyncDisposableStack();
  const log = createLog(config.log.level);
  parts.defer(() => log.close());
  const metrics = createMetrics();

  const keyring = new Keyring(config.secret ?? ensureSecret(config.dataDir), config.previousSecret);
  // The store starts in its thread while another process makes the certificate of a first start.
  const damage = watchDamage(log.logger);
  const opening = openStore(config, { exclusive: true, onDamage: damage.note });
  const [keyPair, store, portal] = await Promise.all([
    findKeyPair(config),
    opening,
    import('./portal/index.ts'),
  ]);
  parts.defer(() => store.close());
  const keys = createKeys(store);
  const clockWatch = parts.use(
    watchClock({ store, lease: config.delivery.lease, see: metrics.clockOffset, log: log.logger }),
  );
  const { clock } = clockWatch;
  parts.use(schedulePurge(store, log.logger));
  parts.use(portal.scheduleSweep(store, { keyring, retention: config.retention, log: log.logger }));

  const health = new HealthReporter({
    clock,
    store,
    node: `${hostname()}/${process.pid}`,
    log: (level, message, fields) => log.logger[level](fields, message),
  });
  parts.defer(() => health.stop());
  const funnel = health.watch(metrics);

  const carrierLog: CarrierLog = (level, message, fields) => log.logger[level](fields ?? {}, message);
  const receive = (receipt: Receipt) => dispatcher.receive(receipt);
  const publicUrl = config.publicUrl?.replace(/\/$/, '');
  const carriers = await createCarriers(config, { receive, log: carrierLog }, publicUrl);
  const routeCaps = new Map(
    config.routes.map((route) => [route, createCap(store, nameRoute(route), route.dailyCap, clock)]),
  );
  const carrierCaps = new Map(
    Object.entries(config.carriers).map(([name, { dailyCap }]) => [
      name,
      createCap(store, `carrier ${name}`, dailyCap, clock),
    ]),
  );
  for (const cap of [...routeCaps.values(), ...carrierCaps.values()]) parts.defer(() => cap?.stop());
  const gates = createGates(config, carriers, carrierCaps, { budget: store.budget, clock }, funnel);

  const findRoute = compileRoutes(config.routes);
  const speakers = createSpeakers(carriers);
  const router = createRouter(config.routes, {
    tallies: store,
    priceOf: createPriceList(config.carriers),
    random: Math.random,
  });
  if (router.learns) {
    parts.use(
      scheduleLearning(router.quality, clock.now, (message, fields) => log.logger.warn(fields, message)),
    );
  }
  const simulatedRoutes = new Set(findSimulated(config));
  const simulator = [{ gate: required(gates.get('simulator')), why: null }];
  const choose = ({ test, channel, destination, locale }: OutgoingMessage): readonly Choice[] => {
    if (test) return simulator;
    const found = findRoute(channel, destination);
    if (!found.ok) return [];
    if (simulatedRoutes.has(found.route)) metrics.liveSimulated(channel);
    const places = router.order(found.route, destination.country);
    const able = isSpoken(channel) ? speakers.keepAble(places, locale) : places;
    return able.map(({ carrier, why }) => ({ gate: required(gates.get(carrier)), why }));
  };

  const verifier = new Verifier({
    clock,
    store,
    keyring,
    findRoute,
    canSpeak: speakers.serve,
    capOf: (route) => routeCaps.get(route),
    handOver: (...handed) => dispatcher.accept(...handed),
    funnel,
    code: config.code,
    messages: config.messages,
    shownLimit: required(config.limits.sendsPerDestination[0]),
    lease: config.delivery.lease,
  });
  const dispatcher = new Dispatcher(
    {
      clock,
      queue: store,
      gates: [...gates.values()],
      choose,
      costOf: router.costOf,
      open: verifier.reopen,
      recipientTags: keyring.recipientTags,
      funnel,
      log: (level, message, fields) => log.logger[level](fields, message),
    },
    { lease: config.delivery.lease, capacity: CAPACITY },
  );
  for (const carrier of carriers) {
    parts.defer(() => carrier.stop());
    carrier.start();
  }
  parts.defer(() => dispatcher.stop(STOP_GRACE_MS));
  dispatcher.start();

  const authenticator = createAuthenticator({ keys, log: log.logger });
  parts.defer(() => authenticator.close());
  const guard = createOverloadGuard({
    pending: () => store.pending,
    maxPending: MAX_PENDING,
    maxLagMs: MAX_LAG_MS,
  });
  parts.defer(() => guard.close());
  const server = await createHttpServer(
    {
      verifier,
      authenticate: authenticator.authenticate,
      receipts: publicUrl === undefined ? undefined : createReceiptDesk(publicUrl, carriers, receive),
      portal: portal.createPortal({
        records: store,
        keyring,
        trustedPeers: config.trustProxy,
        defaults: { ...config, simulated: [...new Set([...simulatedRoutes].map(({ channel }) => channel))] },
        ownCertificate: makesCertificate(config),
        oidc: config.portal.oidc,
        log: log.logger,
        lookup: {
          archive: store,
          tallies: store,
          states: store,
          inbox: store,
          open: verifier.reopen,
          guesses: config.code.guesses,
          currency: config.currency,
          carriers: carriers.map(({ name }) => ({ name, type: required(config.carriers[name]).type })),
          onError: (error) =>
            log.logger.error({ error: describeError(error) }, 'the handset could not be read'),
        },
      }),
      findUnfit: () => {
        if (clockWatch.trouble !== undefined) return 'unavailable';
        return guard.isOverloaded() ? 'overloaded' : undefined;
      },
      readiness: async () => {
        if (damage.met) return { ready: false, parts: { store: 'damaged' } };
        await store.check();
        const { trouble } = clockWatch;
        return { ready: trouble === undefined, parts: { store: 'ok', clock: trouble ?? 'ok' } };
      },
      metrics: { answered: metrics.answered, render: metrics.render, contentType: METRICS_TYPE },
      messages: async ({ accountId }, input) => {
        const parsed = input === undefined ? undefined : parseAnyDestination(input);
        if (parsed?.ok === false) return { ok: false, detail: parsed.detail };
        const address = parsed?.destination.address;
        return { ok: true, messages: await readInbox(store, keyring, verifier.reopen, accountId, address) };
      },
      log: log.logger,
    },
    {
      transport:
        keyPair === undefined
          ? { kind: 'proxy', trustedPeers: config.trustProxy }
          : { kind: 'tls', ...keyPair },
      metricsToken: config.metrics.token,
    },
  );
  parts.defer(() => server.close());
  const host = config.host === '::' && !hasIpv6() ? '0.0.0.0' : config.host;
  if (config.plain !== undefined) {
    const revoke = config.plain.revokeKeys ? authenticator.revoke : undefined;
    const plain = createPlainPort({ revoke, metrics, log: log.logger });
    parts.defer(() => {
      plain.close();
      plain.closeAllConnections();
    });
    plain.listen({ port: config.plain.port, host });
    await once(plain, 'listening');
  }
  // Before anybody is served: a store that fails now ends a start, and no service.
  await warnAtStart(config, keys, log.logger);
  await server.listen({ port: config.port, host });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  log.logger.info({ port }, 'serving');

  const running = parts.move();
  return {
    port,
    keys,
    openSetup: () => portal.openSetup(store, Date.now()),
    findFrontEnd: portal.findFrontEnd,
    stop: () => running.disposeAsync(),
  };
}

/** Of what looks like success: what a first start has without a live key is as it should be. */
async function warnAtStart(config: Config, keys: KeyStore, log: Logger): Promise<void> {
  const simulated = warnOfSimulated(config);
  const live = simulated.length > 0 && (await hasLiveKey(keys, Date.now()));
  for (const { key: option, detail } of [...warnOfProxies(config), ...(live ? simulated : [])]) {
    log.warn({ option }, detail);
  }
}

/** Routes and carriers share the names of the store's quotas. */
function createCap(
  quotas: QuotaStore,
  name: string,
  max: number | undefined,
  clock: Clock,
): DailyCap | undefined {
  return max === undefined ? undefined : new DailyCap(quotas, name, max, clock);
}

function createGates(
  config: Config,
  carriers: readonly Carrier[],
  caps: ReadonlyMap<string, DailyCap | undefined>,
  { budget, clock }: Pick<GateOptions, 'budget' | 'clock'>,
  funnel: Funnel,
): ReadonlyMap<string, Gate> {
  return new Map(
    carriers.map((carrier) => {
      const { name } = carrier;
      const { rate, timeout, breaker, concurrency = carrier.concurrency } = required(config.carriers[name]);
      funnel.breaker(name, 'closed');
      const onState = (state: BreakerState) => funnel.breaker(name, state);
      const cap = caps.get(name);
      const onLinkTrouble = (trouble: string) =>
        funnel.erred(name, presentReason(`no link: ${trouble}`), clock.now());
      const options = { clock, rate, budget, timeout, breaker, concurrency, cap };
      return [name, createGate(carrier, options, onState, onLinkTrouble)];
    }),
  );
}

function createReceiptDesk(
  publicUrl: string,
  carriers: readonly Carrier[],
  receive: ReceiptDesk['receive'],
): ReceiptDesk {
  const byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
  return { publicUrl, receive, read: (name, callback) => byName.get(name)?.readCallback?.(callback) };
}

/** Where nothing is configured, the service makes one; behind a proxy it needs none. */
const makesCertificate = ({ trustProxy, tls }: Config) => trustProxy.length === 0 && tls === undefined;

/** The certificate's files; undefined where a proxy terminates TLS. */
async function findKeyPair(config: Config): Promise<KeyPairFiles | undefined> {
  if (makesCertificate(config)) return ensureSelfSigned(config.dataDir);
  return config.trustProxy.length > 0 ? undefined : config.tls;
}

/** Containers often have no IPv6; `::` then means all addresses of IPv4. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family }) => family === 'IPv6'),
  );
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the configuration was checked, yet a part of it is missing');
  return value;
}
