/** GET /healthz, /readyz and /metrics: for operators. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Clock } from '../../core/seams/clock.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import { NUMBERING_PLANS, VERSION } from '../../version.ts';
import { bearerToken, challenge, type RequestHook, rejectToken } from '../admission/authentication.ts';
import { matchPeers } from '../proxy/peer.ts';
import { shareAnswer } from '../shared-answer.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

export interface MetricsPage {
  render(): Promise<string>;
  readonly contentType: string;
}

export interface OperationOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: MetricsPage;
  readonly metricsToken: string | undefined;
}

const Alive = Type.Object(
  {
    status: Type.Literal('ok', { description: 'Always `ok`.' }),
    version: Type.String({ description: 'The version of the program.', examples: [VERSION] }),
    numbering_plans: Type.String({
      description: 'The version of libphonenumber-js, by whose numbering plans numbers are judged.',
      examples: [NUMBERING_PLANS],
    }),
  },
  { description: 'The process is alive.' },
);

const readinessOf = (status: 'ready' | 'not ready', store: string) =>
  Type.Object(
    {
      status: Type.String({ description: '`ready`, or `not ready`.', examples: [status] }),
      parts: Type.Record(Type.String(), Type.String(), {
        description: 'The state of each part, for people.',
        examples: [{ store }],
      }),
    },
    { description: 'Whether requests can be served now, and the state of each part.' },
  );

const Ready = readinessOf('ready', 'ok');
const NotReady = readinessOf('not ready', 'damaged');

const OPERATION = { tags: ['operation'] };
const PUBLIC = { ...OPERATION, security: [] };

const Metrics = Type.String({
  description: 'The metrics in the text exposition format.',
  examples: ['# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1.52'],
});

export function registerOperation(app: FastifyInstance, options: OperationOptions): void {
  // Each answer makes the store commit, and needs no key.
  const readiness = shareAnswer(options.clock, options.readiness);
  app.get(
    '/healthz',
    {
      schema: {
        ...PUBLIC,
        operationId: 'health',
        summary: 'Is the process alive?',
        description: 'For a supervisor that restarts what hangs. Says nothing about the store.',
        response: { 200: Alive },
      },
    },
    async () => ({ status: 'ok', version: VERSION, numbering_plans: NUMBERING_PLANS }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        ...PUBLIC,
        operationId: 'readiness',
        summary: 'Can requests be served?',
        description: 'For load balancers. Makes the store commit, at most once a second.',
        response: { 200: Ready, 503: NotReady },
      },
    },
    async (_request, reply) => {
      const { ready, parts } = await readiness();
      if (!ready) reply.header('retry-after', '1');
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', parts });
    },
  );
  app.get(
    '/metrics',
    {
      onRequest: requireScraper(options),
      schema: {
        ...OPERATION,
        operationId: 'metrics',
        summary: 'Metrics for Prometheus',
        description:
          'Send the metrics token as bearer token. If none is configured, only the service’s own machine may read the metrics.',
        security: [{}, { metricsToken: [] }],
        produces: ['text/plain'],
        response: { 200: Metrics },
      },
      config: { problems: ['unauthenticated', 'invalid-key'] },
    },
    async (_request, reply) => reply.type(options.metrics.contentType).send(await options.metrics.render()),
  );
}

/** A request through a proxy on this machine comes from the loopback address too, but with one of these. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Where there is a token, everybody needs it: what this machine's other users send, and what a proxy here passes on without
 * a word, look just like the operator's own requests. Without a token only this machine may read.
 */
function requireScraper({ metricsToken }: OperationOptions): RequestHook {
  const isLoopback = matchPeers(['127.0.0.0/8', '::1']);
  const isLocal = ({ raw, headers }: FastifyRequest) =>
    isLoopback(raw.socket) && !FORWARDED.some((name) => name in headers);
  return (request, reply, done) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) {
      if (metricsToken === undefined && isLocal(request)) done();
      else challenge(reply);
    } else if (metricsToken !== undefined && areEqual(token, metricsToken)) done();
    else rejectToken(reply);
  };
}
