/** Why an operation did not do what it was asked: a value that its handler returns, and that is answered with a problem. */
import type { FastifyReply } from 'fastify';
import type { FieldError, FieldFault } from '../core/errors/field-error.ts';
import { type ProblemMembers, type ProblemName, sendProblem, sendUnavailable } from '../http/problem.ts';

export class Refusal {
  readonly #send: (reply: FastifyReply) => FastifyReply;

  constructor(send: (reply: FastifyReply) => FastifyReply) {
    this.#send = send;
  }

  send(reply: FastifyReply): FastifyReply {
    return this.#send(reply);
  }
}

export const refuse = (name: ProblemName, members?: ProblemMembers): Refusal =>
  new Refusal((reply) => sendProblem(reply, name, members));

export const refuseFields = (errors: readonly FieldError[]): Refusal => refuse('invalid-request', { errors });

export const refuseField = (field: string, { code, detail }: FieldFault): Refusal =>
  refuseFields([{ field, code, detail }]);

export const refuseConflict = (detail: string): Refusal => refuse('conflict', { detail });

/** Trying again soon may succeed. */
export const refuseBusy = (): Refusal => new Refusal((reply) => sendUnavailable(reply, 'overloaded'));

/** Trying again before that will not. */
export const refuseUntil = (
  retryAfterMs: number,
  name: 'too-many-attempts' | 'asked-too-often',
  members?: ProblemMembers,
): Refusal =>
  new Refusal((reply) =>
    sendProblem(reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000))), name, members),
  );
