/** The HTTP server: every route, and what holds for all of them. */
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Hooks } from '../core/hooks/system.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { NumberVerifierPort } from '../core/verification/by-number/by-number.ts';
import type { GiveFeedback } from '../core/verification/feedback.ts';
import type { Inquire } from '../core/verification/reading/inquiry.ts';
import type { VerifierPort } from '../core/verification/request.ts';
import { type Authenticate, requireKey } from './admission/authentication.ts';
import { refuseWhenNotReady } from './admission/overload.ts';
import type { ServiceReadiness } from './admission/service-readiness.ts';
import { registerCamara } from './camara/index.ts';
import type { IdleLimits } from './connection/idle-connections.ts';
import { type KeyPair, readKeyPair, validUntil } from './connection/key-pair.ts';
import { createListener, PATIENCE, type Patience, renewKeyPair } from './connection/listener.ts';
import { watchKeyPair } from './connection/tls.ts';
import { MAX_CONNECTIONS, type Transport } from './connection/transport.ts';
import { registerErrors } from './errors.ts';
import { compileSchemasWhenUsed } from './lazy-schemas.ts';
import { type DescribedSubject, describeRoutes } from './openapi.ts';
import { sendProblem } from './problem.ts';
import { requireTrustedProxy } from './proxy/proxy.ts';
import { createReport, type LogRequest, type RequestMetrics } from './report.ts';
import { decorateRequests } from './request.ts';
import { type ReceiptHandler, registerCarrierReceipts } from './routes/carrier-receipts.ts';
import { registerConfirm } from './routes/confirm.ts';
import { registerFeedback } from './routes/feedback.ts';
import { type MetricsPage, registerOperation } from './routes/operation.ts';
import { registerReference } from './routes/reference.ts';
import { type ReadMessages, registerSimulatorMessages } from './routes/simulator-messages.ts';
import { registerVerification } from './routes/verification.ts';
import { registerVerify } from './routes/verify.ts';
import { registerTwilio } from './twilio/index.ts';
import { acceptOnlyJson } from './validation.ts';

/** What the routes need from the rest of the service. */
export interface HttpDeps extends ServiceReadiness {
  readonly clock: Clock;
  readonly random: Random;
  /** The one in effect, which a request goes by to its end. */
  readonly verifier: () => VerifierPort;
  readonly inquire: Inquire;
  readonly giveFeedback: GiveFeedback;
  /** Codes by their number, for apps that speak Twilio Verify. */
  readonly numbers: NumberVerifierPort;
  readonly authenticate: Authenticate;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly messages: ReadMessages;
  /** Absent if no carrier can reach this service. */
  readonly receipts?: ReceiptHandler | undefined;
  /** Registers the web portal in its own scope. */
  readonly portal?: ((app: FastifyInstance) => Promise<void>) | undefined;
  readonly metrics: RequestMetrics & MetricsPage & CertificateMetrics;
  readonly log: Logger;
  readonly logRequest: LogRequest;
  /** Puts a span around each request, before anything else looks at it. Absent if nothing is traced. */
  readonly trace?: ((app: FastifyInstance) => void) | undefined;
}

interface CertificateMetrics {
  /** Until when the served certificate is valid, in ms since 1970; said again after each renewal. */
  certificateUntil(time: number): void;
}

export interface HttpServerOptions {
  readonly transport: Transport;
  /** Lets a scraper on another machine read the metrics. */
  readonly metricsToken?: string | undefined;
  /** Identity systems that have their codes sent here. */
  readonly hooks?: Hooks;
  readonly maxConnections?: number | undefined;
  readonly idle?: IdleLimits | undefined;
  readonly patience?: Patience;
  /** How often the certificate's files are checked, in ms. */
  readonly certificateCheckMs?: number;
  /** How long a graceful close waits for running requests before it cuts them off, in ms. */
  readonly closeMs?: number;
}

const API: DescribedSubject = {
  path: '/openapi.json',
  title: 'Countersign',
  description: 'Verifies that a user has a telephone: sends a one-time code to it and confirms the code.',
  tags: {
    verification: 'Send codes, confirm them, and see what became of them.',
    simulator: 'What simulated telephones received.',
    operation: 'For the operators of the service.',
  },
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
    metricsToken: { type: 'http', scheme: 'bearer', description: 'The metrics token.' },
  },
};

const MAX_BODY_BYTES = 16 * 1024;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const LAST_HEADERS = { ...HEADERS, connection: 'close' };

/**
 * Builds the server, ready for `listen` or `inject`. `close()` stops accepting, answers running requests with
 * `Connection: close`, and then releases everything. Rejects if the certificate is missing or broken.
 */
export async function createHttpServer(deps: HttpDeps, options: HttpServerOptions): Promise<FastifyInstance> {
  const { clock, random, portal } = deps;
  const { transport, patience = PATIENCE, maxConnections = MAX_CONNECTIONS } = options;
  const keyPair = transport.kind === 'tls' ? await readKeyPair(transport) : undefined;
  const trustedPeers = transport.kind === 'proxy' ? transport.trustedPeers : [];
  const report = createReport(deps.logRequest, deps.metrics);

  const app = fastify({
    serverFactory: (handler) =>
      createListener({ keyPair, patience, maxConnections, idle: options.idle }, handler),
    // The listener answers these itself.
    clientErrorHandler: () => {},
    logger: false,
    genReqId: () => random.uuid(),
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    // A URL that cannot be decoded reaches neither the router nor the hooks.
    frameworkErrors: (_error, request, reply) => {
      reply.raw.once('finish', () => report(request, reply));
      sendProblem(reply.headers(HEADERS), 'malformed-http');
    },
  });

  let closing = false;
  compileSchemasWhenUsed(app);
  decorateRequests(app, trustedPeers);
  deps.trace?.(app);
  acceptOnlyJson(app);
  registerErrors(app, deps.log);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const kept = reply.getHeader('cache-control');
    reply.headers(closing ? LAST_HEADERS : HEADERS);
    // Unless an answer says that browsers may keep it.
    if (kept !== undefined) reply.header('cache-control', kept);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    report(request, reply);
    done();
  });
  app.addHook('preClose', (done) => {
    closing = true;
    const cutOff = clock
      .after(options.closeMs ?? patience.request, () => app.server.closeAllConnections())
      .unref();
    app.server.once('close', () => cutOff[Symbol.dispose]());
    done();
  });
  if (transport.kind === 'tls' && keyPair !== undefined) {
    const apply = (renewed: KeyPair) => {
      renewKeyPair(app.server, renewed);
      deps.metrics.certificateUntil(validUntil(renewed));
    };
    deps.metrics.certificateUntil(validUntil(keyPair));
    const watch = watchKeyPair(transport, keyPair, apply, deps.log, options.certificateCheckMs ?? 1_000);
    app.addHook('onClose', async () => watch.close());
  }
  if (transport.kind === 'proxy') {
    const { authenticate, log } = deps;
    app.addHook('onRequest', requireTrustedProxy({ trustedPeers, authenticate, log }));
  }
  const authenticated = { onRequest: [requireKey(deps.authenticate)] };
  const shed = refuseWhenNotReady(deps.findNotReady);
  // First of all: a key may have to be looked up, and by then what piled up before the lookup would no longer count.
  const admitted = { onRequest: [shed, ...authenticated.onRequest] };
  app.register(async (routes) => {
    const describe = await describeRoutes(routes, API, () => deps.verifier().channels);
    registerVerify(routes, deps.verifier, admitted);
    registerConfirm(routes, deps.verifier, admitted);
    registerVerification(routes, deps.inquire, admitted);
    registerFeedback(routes, deps.giveFeedback, admitted);
    registerSimulatorMessages(routes, deps.messages, authenticated);
    if (deps.receipts !== undefined)
      registerCarrierReceipts(routes, deps.receipts, { onRequest: [shed] }, deps);
    registerOperation(routes, {
      clock,
      readiness: deps.readiness,
      metrics: deps.metrics,
      metricsToken: options.metricsToken,
    });
    registerReference(routes, describe, portal !== undefined);
  });
  registerTwilio(app, deps);
  registerCamara(app, deps);
  const { hooks = {} } = options;
  if (Object.keys(hooks).length > 0) {
    app.register(async (scope) => (await import('./hooks/index.ts')).registerHooks(scope, deps, hooks));
  }
  if (portal !== undefined) app.register(portal);
  return app;
}
