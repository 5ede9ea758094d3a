/** The answer to a request over a limit. */
import type { FastifyReply } from 'fastify';
import { formatDuration, type Limit } from '../core/verification/limits.ts';
import { type ProblemName, sendProblem } from './problem.ts';

const PROBLEMS = {
  key: 'rate-limited',
  destination: 'quota-exceeded',
  route: 'daily-cap-reached',
} as const satisfies Record<string, ProblemName>;

interface Limited {
  readonly scope: keyof typeof PROBLEMS;
  readonly limit: Limit;
  readonly retryAfterMs: number;
}

/** draft-ietf-httpapi-ratelimit-headers: the violated policy, and when it allows requests again. */
export function refuseLimited(reply: FastifyReply, { scope, limit, retryAfterMs }: Limited): FastifyReply {
  const policy = `"${scope}-${formatDuration(limit.windowMs)}"`;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  reply.headers({
    'retry-after': String(seconds),
    'ratelimit-policy': `${policy};q=${limit.max};w=${Math.ceil(limit.windowMs / 1000)}`,
    ratelimit: `${policy};r=0;t=${seconds}`,
  });
  return sendProblem(reply, PROBLEMS[scope]);
}
