/**
 * Below `/camara`, the API by which mobile networks verify a telephone: CAMARA's one-time-password-sms, version 1.1.1 and the draft of
 * 2.0.0 (docs/camara.md). Not in the OpenAPI document: CAMARA's describes it.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { describeError } from '../../core/errors/error-facts.ts';
import { OutcomeUnknown, StoreFailure } from '../../core/errors/store-failure.ts';
import { refuseWhenNotReady } from '../admission/overload.ts';
import { reportUnavailable } from '../errors.ts';
import { UnreadableBody } from '../validation.ts';
import { repeatCorrelator, requireCorrelator } from './correlator.ts';
import { requireBearer } from './credentials.ts';
import type { CamaraDeps } from './deps.ts';
import { type CamaraRefusal, invalidArgument, sendCamaraRefusal } from './errors.ts';
import { registerMetadata } from './metadata.ts';
import { CAMARA_PATH } from './paths.ts';
import { BODIES, type SendCodeBody, type ValidateCodeBody } from './schemas.ts';
import { registerTokens } from './token-endpoint.ts';

export function registerCamara(app: FastifyInstance, deps: CamaraDeps): void {
  app.register(
    async (scope) => {
      const paths = new Map<string, string>();
      scope.addHook('onRoute', ({ url, method }) => {
        if (method !== 'HEAD') paths.set(url, String(method));
      });
      repeatCorrelator(scope);
      scope.setNotFoundHandler((request, reply) => refuseUnmatched(request, reply, paths));
      // The body of a request for an unknown path is parsed first; a fault in it must not matter.
      const failure = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
        request.is404
          ? refuseUnmatched(request, reply, paths)
          : sendCamaraRefusal(reply, refusalOfFailure(error, request, deps.log));
      scope.setErrorHandler(failure);
      const shed = refuseWhenNotReady(deps.findNotReady, (reply) => sendCamaraRefusal(reply, UNAVAILABLE));
      const onRequest = [shed, requireBearer(deps.authenticate, deps), requireCorrelator];
      for (const version of ['v1', 'v2'] as const) {
        const path = `/one-time-password-sms/${version}`;
        const bodies = BODIES[version];
        const common = { onRequest, attachValidation: true };
        scope.post<{ Body: SendCodeBody }>(
          `${path}/send-code`,
          { ...common, schema: { body: bodies.sendCode } },
          async (request, reply) => (await load()).sendCode(request, reply, deps),
        );
        scope.post<{ Body: ValidateCodeBody }>(
          `${path}/validate-code`,
          { ...common, schema: { body: bodies.validateCode } },
          async (request, reply) => (await load()).validateCode(request, reply, deps),
        );
      }
      registerTokens(scope, deps, shed, failure);
      registerMetadata(scope);
    },
    { prefix: CAMARA_PATH },
  );
}

const load = async () => (await import('./operations.ts')).OPERATIONS;

function refuseUnmatched(request: FastifyRequest, reply: FastifyReply, paths: ReadonlyMap<string, string>) {
  const [path = ''] = request.url.split('?', 1);
  const method = paths.get(path);
  if (method === undefined)
    return sendCamaraRefusal(reply, { code: 'NOT_FOUND', message: 'There is no such path' });
  const refusal: CamaraRefusal = { code: 'METHOD_NOT_ALLOWED', message: `Only ${method} is allowed here` };
  return sendCamaraRefusal(reply.header('allow', method), refusal);
}

const UNAVAILABLE: CamaraRefusal = {
  code: 'UNAVAILABLE',
  message: 'The service cannot work right now. Nothing was done',
  retryAfterMs: 1_000,
};

const OUTCOME_UNKNOWN: CamaraRefusal = {
  ...UNAVAILABLE,
  message: 'The outcome is unknown: the request was carried out completely, or not at all',
};

function refusalOfFailure(error: FastifyError, request: FastifyRequest, log: Logger): CamaraRefusal {
  if (error instanceof StoreFailure) {
    reportUnavailable(log, error);
    return error instanceof OutcomeUnknown ? OUTCOME_UNKNOWN : UNAVAILABLE;
  }
  if (error instanceof UnreadableBody) return invalidArgument(`body: ${error.message}`);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be application/json' };
  }
  if (error.code?.startsWith('FST_ERR_CTP_')) return invalidArgument('body: is incomplete, or too large');
  log.error({ requestId: request.id, error: describeError(error) }, 'unexpected error');
  return { code: 'INTERNAL', message: 'The service failed' };
}
