/** What is told of each request: one log line and one count. Never its URL, headers or body. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

export interface RequestMetrics {
  /** `route` is the template of a known route, or `unmatched`. */
  answered(route: string, status: number, ms: number): void;
}

export type Report = (request: FastifyRequest, reply: FastifyReply) => void;

export function createReport(log: Logger, metrics: RequestMetrics): Report {
  return (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.answered(route, status, ms);
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(ms * 100) / 100,
        keyId: request.caller?.keyId,
        problem: request.problem ?? undefined,
      },
      'request',
    );
  };
}

/** What may be logged of an unexpected error: where it came from, and nothing of what it says. */
export function describeError(error: unknown): { name: string; code: unknown; stack: string | undefined } {
  if (!(error instanceof Error)) return { name: typeof error, code: undefined, stack: undefined };
  // The message may hold input, and stands at the head of the stack; the frames below it hold none.
  const frames = error.stack?.slice(error.stack.indexOf(error.message) + error.message.length);
  const stack = frames
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return { name: error.name, code: 'code' in error ? error.code : undefined, stack };
}
