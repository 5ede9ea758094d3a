/** One log line and one count for each request, never with its URL, headers or body. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface RequestMetrics {
  /** `route` is the template of a known route, or `unmatched`. */
  answered(route: string, status: number, ms: number): void;
}

/** Writes a line at `info`. */
export type LogRequest = (
  fields: Readonly<Record<string, string | number | undefined>>,
  message: string,
) => void;

export type Report = (request: FastifyRequest, reply: FastifyReply) => void;

export function createReport(log: LogRequest, metrics: RequestMetrics): Report {
  return (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.answered(route, status, ms);
    log(
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
