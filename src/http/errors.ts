/** The answers that no route gives: unknown paths, wrong methods, unreadable bodies, failures. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { describeError } from '../core/errors/error-facts.ts';
import type { FieldFault } from '../core/errors/field-error.ts';
import { OutcomeUnknown, StoreFailure } from '../core/errors/store-failure.ts';
import { type ProblemMembers, sendProblem, sendUnavailable } from './problem.ts';
import { fieldErrors, UnreadableBody } from './validation.ts';

export function registerErrors(app: FastifyInstance, log: Logger): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const name of [method].flat()) known.add(name);
  });
  app.setNotFoundHandler((request, reply) => answerUnmatched(request, reply, methods));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The body of a request for an unknown path is parsed first; a fault in it must not matter.
    if (request.is404) return answerUnmatched(request, reply, methods);
    return answerError(error, request, reply, log);
  });
}

/** Says why requests are answered 503: nothing else may use that part of the store. Without the request, so once a minute. */
export function reportUnavailable(log: Logger, error: StoreFailure): void {
  log.warn({ error: describeError(error) }, 'requests are answered 503');
}

/** 405 if the path has other methods, 404 if it does not exist. */
function answerUnmatched(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): FastifyReply {
  const [path = ''] = request.url.split('?', 1);
  const allowed = methods.get(path) ?? methods.get(findTemplate(path, methods.keys()) ?? '');
  if (allowed === undefined) return sendProblem(reply, 'not-found');
  return sendProblem(reply.header('allow', [...allowed].sort().join(', ')), 'method-not-allowed');
}

/** The route with parameters that the path fits, such as `/carriers/:name/receipts`. */
function findTemplate(path: string, templates: Iterable<string>): string | undefined {
  for (const template of templates) {
    if (template.includes(':') && new URLPattern({ pathname: template }).test({ pathname: path }))
      return template;
  }
  return undefined;
}

function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  if (error instanceof StoreFailure) {
    reportUnavailable(log, error);
    return sendUnavailable(reply, error instanceof OutcomeUnknown ? 'outcome-unknown' : 'unavailable');
  }
  // Fastify closes the connection after any body that it cannot parse. This one was read to its end, so it may stay open.
  if (error instanceof UnreadableBody) reply.removeHeader('connection');
  const members = clientFault(error, request);
  if (members !== undefined) return sendProblem(reply, 'invalid-request', members);
  log.error({ requestId: request.id, error: describeError(error) }, 'unexpected error');
  return sendProblem(reply, 'internal');
}

const TOO_LARGE: FieldFault = { code: 'too_large', detail: 'is too large' };
const NOT_JSON_TYPE: FieldFault = { code: 'wrong_media_type', detail: 'must be application/json' };
const INCOMPLETE: FieldFault = { code: 'incomplete', detail: 'is incomplete' };

/** What the client did wrong; undefined if it was not the client. */
function clientFault(error: FastifyError, request: FastifyRequest): ProblemMembers | undefined {
  if (error.validation !== undefined) return { errors: fieldErrors(error.validation) };
  if (error instanceof UnreadableBody) return bodyFault(error.fault);
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyFault(TOO_LARGE);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return bodyFault(NOT_JSON_TYPE);
  if (error.code?.startsWith('FST_ERR_CTP_')) return bodyFault(INCOMPLETE);
  // The client went away in the middle of its body. With a complete request, the reset connection is one of our own.
  if (error.code === 'ECONNRESET' && !request.raw.complete) return bodyFault(INCOMPLETE);
  return undefined;
}

function bodyFault(fault: FieldFault): ProblemMembers {
  return { errors: [{ field: 'body', ...fault }] };
}
