/** The answers to a request over a limit or a budget, or refused by the guard. */
import type { FastifyReply } from 'fastify';
import { formatDuration, type Limit } from '../core/verification/limits.ts';
import { type ProblemName, sendProblem } from './problem.ts';

/** What each kind of limit is told as. */
export const LIMITED = {
  key: 'rate-limited',
  account: 'rate-limited',
  destination: 'quota-exceeded',
  route: 'daily-cap-reached',
} as const satisfies Record<string, ProblemName>;

interface Limited {
  readonly scope: keyof typeof LIMITED;
  readonly limit: Limit;
  readonly retryAfterMs: number;
}

interface Exhausted {
  readonly budget: string;
  readonly endsAt: number;
  readonly retryAfterMs: number;
}

/** The budget may have room sooner, when messages cost less than they could have. */
export function refuseExhausted(
  reply: FastifyReply,
  { budget, endsAt, retryAfterMs }: Exhausted,
): FastifyReply {
  reply.header('retry-after', String(secondsOf(retryAfterMs)));
  const until = new Date(endsAt).toISOString().slice(0, 16);
  const detail = `The budget \`${budget}\` has no room for this message until ${until}Z.`;
  return sendProblem(reply, 'budget-exhausted', { detail, budget });
}

/** draft-ietf-httpapi-ratelimit-headers: the violated policy, and when it allows requests again. */
export function refuseLimited(reply: FastifyReply, { scope, limit, retryAfterMs }: Limited): FastifyReply {
  const policy = `"${scope}-${formatDuration(limit.windowMs)}"`;
  const seconds = secondsOf(retryAfterMs);
  reply.headers({
    'retry-after': String(seconds),
    'ratelimit-policy': `${policy};q=${limit.max};w=${Math.ceil(limit.windowMs / 1000)}`,
    ratelimit: `${policy};r=0;t=${seconds}`,
  });
  return sendProblem(reply, LIMITED[scope]);
}

/** Nothing in it helps to find out what would be let through. */
export function refuseGuarded(
  reply: FastifyReply,
  { retryAfterMs }: { readonly retryAfterMs: number },
): FastifyReply {
  reply.header('retry-after', String(secondsOf(retryAfterMs)));
  return sendProblem(reply, 'guarded');
}

/** The store is well, but nobody knows what has to be known of the number. */
export function refuseUnanswered(
  reply: FastifyReply,
  { retryAfterMs }: { readonly retryAfterMs: number },
): FastifyReply {
  reply.header('retry-after', String(secondsOf(retryAfterMs)));
  const detail =
    'What has to be known of the number before a code is sent could not be found out. Nothing was sent. Try again after `Retry-After` seconds.';
  return sendProblem(reply, 'unavailable', { detail });
}

function secondsOf(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}
