/** GET /verifications/{id}: what became of a verification. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Inquire, Inquired } from '../../core/verification/reading/inquiry.ts';
import {
  ATTEMPT_STATES,
  type AttemptState,
  PROGRESS,
  type VerificationProgress,
} from '../../core/verification/reading/progress.ts';
import { refuseLimited } from '../limited.ts';
import { MetadataAnswer } from '../optional-body.ts';
import { sendProblem } from '../problem.ts';
import { callerOf } from '../request.ts';
import { ChannelSchema, instantOf, ShownDestination, VerificationId } from '../schemas.ts';

const Path = Type.Object({ id: VerificationId });

const Status = Type.Unsafe<VerificationProgress>({
  type: 'string',
  enum: PROGRESS,
  description:
    'How far it has come. `queued`: no carrier has accepted the message yet. `submitted`: a carrier has accepted it. `delivered`: it has arrived. `undelivered`: carriers accepted it, and all reported that it did not arrive. `failed`: no carrier accepted it. `confirmed`: the code was confirmed. `expired`: the code was not confirmed in time.',
  examples: ['confirmed'],
});

const Attempt = Type.Object({
  channel: ChannelSchema,
  state: Type.Unsafe<AttemptState>({
    type: 'string',
    enum: ATTEMPT_STATES,
    description:
      '`submitted`: the carrier has accepted the message. `delivered`, `undelivered`: what it reported. `failed`: it did not accept it.',
    examples: ['delivered'],
  }),
  started_at: instantOf('When the carrier was asked.', '00:00.004'),
  changed_at: instantOf('When the attempt came into its state.', '00:02.310'),
});

const Answer = Type.Object(
  {
    id: VerificationId,
    destination: Type.Optional(ShownDestination),
    channel: ChannelSchema,
    status: Status,
    created_at: instantOf('When it was requested.'),
    expires_at: instantOf('From when on its code is no longer valid.', '10:00.000'),
    confirmed_at: Type.Optional(instantOf('When its code was confirmed.', '00:21.480')),
    guesses_left: Type.Integer({
      minimum: 0,
      description: 'The guesses left for this verification. Its destination may have fewer.',
      examples: [5],
    }),
    metadata: Type.Optional(MetadataAnswer),
    attempts: Type.Array(Attempt, { description: 'The attempts to send the message, in order.' }),
  },
  { description: 'What became of the verification until now.' },
);

export function registerVerification(
  app: FastifyInstance,
  inquire: Inquire,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.get<{ Params: Static<typeof Path> }>(
    '/verifications/:id',
    {
      ...hooks,
      schema: {
        operationId: 'readVerification',
        tags: ['verification'],
        summary: 'Read what became of a verification',
        description:
          'For example to offer a call when the SMS does not arrive. Counts as a request with the key. The verification must have been requested by the same account, and with a key of the same kind, live or test. A live key sees tests of carriers of its account, too, without guesses.',
        security: [{ apiKey: [] }],
        params: Path,
        response: { 200: Answer },
      },
      config: {
        problems: [
          ...(['invalid-request', 'unauthenticated', 'invalid-key', 'verification-not-found'] as const),
          ...(['rate-limited', 'overloaded', 'unavailable', 'outcome-unknown'] as const),
        ],
      },
    },
    async (request, reply) => {
      const answer = await inquire(callerOf(request), request.params.id);
      switch (answer.kind) {
        case 'found':
          return show(answer);
        case 'unknown':
          return sendProblem(reply, 'verification-not-found');
        case 'limited':
          return refuseLimited(reply, answer);
      }
    },
  );
}

function show({
  id,
  destination,
  channel,
  progress,
  guessesLeft,
  confirmedAt,
  metadata,
  ...found
}: Inquired) {
  return {
    id,
    ...(destination !== undefined && { destination }),
    channel,
    status: progress,
    created_at: instant(found.createdAt),
    expires_at: instant(found.expiresAt),
    ...(confirmedAt !== null && { confirmed_at: instant(confirmedAt) }),
    guesses_left: guessesLeft,
    ...(metadata !== undefined && { metadata }),
    attempts: found.attempts.map(({ startedAt, changedAt, ...attempt }) => ({
      ...attempt,
      started_at: instant(startedAt),
      changed_at: instant(changedAt),
    })),
  };
}

const instant = (at: number): string => new Date(at).toISOString();
