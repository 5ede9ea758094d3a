/**
 * Below `/twilio`, the part of Twilio Verify v2 that apps use, in Twilio's own terms, so that an app with Twilio's library only
 * changes where it connects to (docs/twilio.md). Not in the OpenAPI document: Twilio's describes it.
 */
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { describeError } from '../../core/errors/error-facts.ts';
import { OutcomeUnknown, StoreFailure } from '../../core/errors/store-failure.ts';
import { refuseWhenNotReady } from '../admission/overload.ts';
import { reportUnavailable } from '../errors.ts';
import { acceptOnlyForms } from '../form.ts';
import { UnreadableBody } from '../validation.ts';
import { requireBasicKey } from './credentials.ts';
import type { TwilioDeps } from './deps.ts';
import { invalidParameter, notFound, sendTwilioRefusal, type TwilioRefusal } from './errors.ts';
import type { OPERATIONS, TwilioRequest } from './operations.ts';

const SERVICE = '/v2/Services/:service';

/** The last is of Twilio's Messaging: Verify v2 has nothing that says what a verification was. */
const ROUTES = [
  ['POST', `${SERVICE}/Verifications`, 'create'],
  ['GET', `${SERVICE}/Verifications/:sid`, 'fetch'],
  ['POST', `${SERVICE}/Verifications/:sid`, 'update'],
  ['POST', `${SERVICE}/VerificationCheck`, 'check'],
  ['POST', '/2010-04-01/Accounts/:account/Messages/:sid/Feedback.json', 'feedback'],
] as const satisfies readonly (readonly [string, string, keyof typeof OPERATIONS])[];

export function registerTwilio(app: FastifyInstance, deps: TwilioDeps): void {
  app.register(
    async (scope) => {
      acceptOnlyForms(scope);
      scope.setNotFoundHandler((request, reply) => sendTwilioRefusal(reply, notFound(resourceOf(request))));
      // The body of a request for an unknown path is parsed first; a fault in it must not matter.
      scope.setErrorHandler((error: FastifyError, request, reply) => {
        const refusal = request.is404
          ? notFound(resourceOf(request))
          : refusalOfFailure(error, request, deps.log);
        return sendTwilioRefusal(reply, refusal);
      });
      const shed = refuseWhenNotReady(deps.findNotReady, (reply, reason) =>
        sendTwilioRefusal(reply, reason === 'overloaded' ? OVERLOADED : UNAVAILABLE),
      );
      const onRequest = [shed, requireBasicKey(deps.authenticate)];
      for (const [method, url, name] of ROUTES) {
        scope.route<TwilioRequest>({
          method,
          url,
          onRequest,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const { OPERATIONS } = await import('./operations.ts');
            return OPERATIONS[name](request, reply, deps);
          },
        });
      }
    },
    { prefix: '/twilio' },
  );
}

const UNAVAILABLE: TwilioRefusal = {
  code: 20503,
  message: 'The service cannot work right now. Nothing was done',
  retryAfterMs: 1_000,
};

/** For a moment only: asking again soon is what a client should do. */
const OVERLOADED: TwilioRefusal = {
  ...UNAVAILABLE,
  message: 'The service is overloaded right now. Nothing was done',
};

const OUTCOME_UNKNOWN: TwilioRefusal = {
  ...UNAVAILABLE,
  message: 'The outcome is unknown: the request was carried out completely, or not at all',
};

function refusalOfFailure(error: FastifyError, request: FastifyRequest, log: Logger): TwilioRefusal {
  if (error instanceof StoreFailure) {
    reportUnavailable(log, error);
    return error instanceof OutcomeUnknown ? OUTCOME_UNKNOWN : UNAVAILABLE;
  }
  if (error instanceof UnreadableBody || error.code?.startsWith('FST_ERR_CTP_')) return NO_FORM;
  log.error({ requestId: request.id, error: describeError(error) }, 'unexpected error');
  return { code: 20500, message: 'Internal Server Error' };
}

const NO_FORM = invalidParameter(
  'body',
  'expected application/x-www-form-urlencoded, in UTF-8, of at most 16 KB',
);

/** Never the path itself, which may hold anything. */
function resourceOf({ method }: FastifyRequest): string {
  return `of this ${method} request`;
}
