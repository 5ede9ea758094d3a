/** POST /confirm: confirms the code that the user received. */
import type { FastifyInstance, FastifyReply, RouteShorthandOptions } from 'fastify';
import Type, { type Static } from 'typebox';
import type { ConfirmAnswer, VerifierPort } from '../../core/verification/request.ts';
import { idempotencyHeaders, readRepeatable } from '../idempotency-key.ts';
import { type ProblemName, sendProblem } from '../problem.ts';
import { callerOf } from '../request.ts';
import { ChannelSchema, DestinationSchema, Instant, VerificationId } from '../schemas.ts';

const Body = Type.Object({
  id: VerificationId,
  code: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'The code as the user typed it. Spaces, hyphens, case and the digits of other scripts do not matter.',
    examples: ['123456'],
  }),
});

const Answer = Type.Object(
  { id: VerificationId, destination: DestinationSchema, channel: ChannelSchema, confirmed_at: Instant },
  { description: 'The code matches: the user has access to the destination.' },
);

const HEADERS = idempotencyHeaders('uses up no guess');

const PROBLEMS: readonly ProblemName[] = [
  'invalid-request',
  'unauthenticated',
  'invalid-key',
  'code-mismatch',
  'attempts-exhausted',
  'verification-not-found',
  'verification-expired',
  'already-confirmed',
  'idempotency-in-progress',
  'idempotency-key-reused',
  'overloaded',
  'unavailable',
  'outcome-unknown',
];

export function registerConfirm(
  app: FastifyInstance,
  verifier: () => VerifierPort,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.post<{ Body: Static<typeof Body> }>(
    '/confirm',
    {
      ...hooks,
      attachValidation: true,
      schema: {
        operationId: 'confirm',
        tags: ['verification'],
        summary: 'Confirm a verification code',
        description:
          'Succeeds once for each verification, and again for a repetition with the same `Idempotency-Key`. The verification must have been requested by the same account, and with a key of the same kind, live or test.',
        security: [{ apiKey: [] }],
        body: Body,
        response: { 200: Answer },
      },
      config: { problems: PROBLEMS, requestHeaders: HEADERS },
    },
    async (request, reply) => {
      const repeatable = readRepeatable(request);
      if (!repeatable.ok) return sendProblem(reply, 'invalid-request', { errors: repeatable.errors });
      const { id: asked, code } = request.body;
      const answer = await verifier().confirm(callerOf(request), asked, code, repeatable.idempotencyKey);
      if (answer.kind !== 'confirmed') return refuse(reply, answer);
      const { id, destination, channel, confirmedAt } = answer;
      return { id, destination, channel, confirmed_at: new Date(confirmedAt).toISOString() };
    },
  );
}

const REFUSALS = {
  'attempts-exhausted': 'attempts-exhausted',
  expired: 'verification-expired',
  'already-confirmed': 'already-confirmed',
  unknown: 'verification-not-found',
  'idempotency-mismatch': 'idempotency-key-reused',
  'idempotency-in-progress': 'idempotency-in-progress',
} as const satisfies Record<Exclude<ConfirmAnswer['kind'], 'confirmed' | 'mismatch'>, ProblemName>;

function refuse(reply: FastifyReply, answer: Exclude<ConfirmAnswer, { kind: 'confirmed' }>): FastifyReply {
  return answer.kind === 'mismatch'
    ? sendProblem(reply, 'code-mismatch', { attempts_remaining: answer.attemptsRemaining })
    : sendProblem(reply, REFUSALS[answer.kind]);
}
