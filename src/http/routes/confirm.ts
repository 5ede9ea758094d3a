/** POST /confirm: confirm the code that the user received. */
import type { FastifyInstance, FastifyReply, RouteShorthandOptions } from 'fastify';
import Type, { type Static } from 'typebox';
import type { ConfirmAnswer, VerifierPort } from '../../core/verifier.ts';
import { type ProblemName, sendProblem } from '../problem.ts';
import { callerOf } from '../request.ts';
import { Channel, Destination, Instant, VerificationId } from '../schemas.ts';

const Body = Type.Object({
  id: VerificationId,
  code: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'The code as the user typed it: spaces, hyphens, case and other scripts’ digits do not matter.',
    examples: ['123456'],
  }),
});

const Answer = Type.Object(
  { id: VerificationId, destination: Destination, channel: Channel, confirmed_at: Instant },
  { description: 'The code matches: the user holds the destination.' },
);

const PROBLEMS: readonly ProblemName[] = [
  'invalid-request',
  'unauthenticated',
  'invalid-key',
  'code-mismatch',
  'attempts-exhausted',
  'verification-not-found',
  'verification-expired',
  'already-confirmed',
  'overloaded',
  'unavailable',
];

export function registerConfirm(
  app: FastifyInstance,
  verifier: VerifierPort,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.post<{ Body: Static<typeof Body> }>(
    '/confirm',
    {
      ...hooks,
      schema: {
        operationId: 'confirm',
        summary: 'Confirm a verification code',
        description: 'Succeeds once for each verification.',
        security: [{ apiKey: [] }],
        body: Body,
        response: { 200: Answer },
      },
      config: { problems: PROBLEMS },
    },
    async (request, reply) => {
      const answer = await verifier.confirm(callerOf(request), request.body.id, request.body.code);
      if (answer.kind !== 'confirmed') return refuse(reply, answer);
      const { id, destination, channel, confirmedAt } = answer;
      return { id, destination, channel, confirmed_at: new Date(confirmedAt).toISOString() };
    },
  );
}

function refuse(reply: FastifyReply, answer: Exclude<ConfirmAnswer, { kind: 'confirmed' }>): FastifyReply {
  switch (answer.kind) {
    case 'mismatch':
      return sendProblem(reply, 'code-mismatch', { attempts_remaining: answer.attemptsRemaining });
    case 'attempts-exhausted':
      return sendProblem(reply, 'attempts-exhausted');
    case 'expired':
      return sendProblem(reply, 'verification-expired');
    case 'already-confirmed':
      return sendProblem(reply, 'already-confirmed');
    case 'unknown':
      return sendProblem(reply, 'verification-not-found');
  }
}
