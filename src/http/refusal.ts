/** The answer to a request for a verification that was refused. */
import type { FastifyReply } from 'fastify';
import type { RequestAnswer } from '../core/verification/request.ts';
import { refuseExhausted, refuseGuarded, refuseLimited, refuseUnanswered } from './limited.ts';
import { sendProblem } from './problem.ts';

type RefusedRequest = Exclude<RequestAnswer, { readonly kind: 'issued' }>;
type Field = Extract<RefusedRequest, { readonly kind: 'invalid' }>['field'];

/** `nameOf` names a field as the caller has it. */
export function refuseRequest(
  reply: FastifyReply,
  answer: RefusedRequest,
  nameOf: (field: Field) => string = (field) => field,
): FastifyReply {
  switch (answer.kind) {
    case 'invalid': {
      const { field, code, detail } = answer;
      return sendProblem(reply, 'invalid-request', { errors: [{ field: nameOf(field), code, detail }] });
    }
    case 'idempotency-mismatch':
      return sendProblem(reply, 'idempotency-key-reused');
    case 'idempotency-in-progress':
      return sendProblem(reply, 'idempotency-in-progress');
    case 'exhausted':
      return refuseExhausted(reply, answer);
    case 'guarded':
      return refuseGuarded(reply, answer);
    case 'unanswered':
      return refuseUnanswered(reply, answer);
    case 'limited':
      return refuseLimited(reply, answer);
  }
}
