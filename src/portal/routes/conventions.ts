/** What the portal's routes have in common: how they are described, and how they answer. */
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { type FieldError, type ProblemName, sendProblem } from '../../http/problem.ts';
import { Id } from '../contract/common.ts';

/** The session's cookie. */
export const SESSION = [{ session: [] }];

export const AccountPath = Type.Object({ account: Id });

export const NoContent = Type.Null({ description: 'Done.' });

/** Of every route that changes something. */
export const CHANGE_PROBLEMS = [
  'invalid-request',
  'cross-site',
  'unavailable',
  'outcome-unknown',
] as const satisfies readonly ProblemName[];

/** Of every route that asks for a session. */
export const SIGNED_IN_PROBLEMS = [
  'not-signed-in',
  'unavailable',
  'outcome-unknown',
] as const satisfies readonly ProblemName[];

/** Of every route that asks for a fresh proof of who it is. */
export const PROVEN_PROBLEMS = [
  ...SIGNED_IN_PROBLEMS,
  'proof-needed',
] as const satisfies readonly ProblemName[];

/** Of every route that asks for a role in an account. */
export const MEMBER_PROBLEMS = [
  ...SIGNED_IN_PROBLEMS,
  'not-found',
  'forbidden',
] as const satisfies readonly ProblemName[];

/** Of every route that asks for a role and for a fresh proof. */
export const PROVEN_MEMBER_PROBLEMS = [
  ...MEMBER_PROBLEMS,
  'proof-needed',
] as const satisfies readonly ProblemName[];

/** Of every route that judges a password or a code. */
export const GUESS_PROBLEMS = [
  ...CHANGE_PROBLEMS,
  'sign-in-failed',
  'too-many-attempts',
  'overloaded',
] as const satisfies readonly ProblemName[];

export function refuseField(reply: FastifyReply, field: string, detail: string): FastifyReply {
  const errors: FieldError[] = [{ field, detail }];
  return sendProblem(reply, 'invalid-request', { errors });
}

export function refuseGuess(reply: FastifyReply, retryAfterMs: number): FastifyReply {
  return sendProblem(
    reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000))),
    'too-many-attempts',
  );
}
