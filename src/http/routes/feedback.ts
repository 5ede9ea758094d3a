/** POST /verifications/{id}/feedback: what a verification turned out to be. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import Type, { type Static } from 'typebox';
import { type FraudVerdict, VERDICTS } from '../../core/guarding/verdict.ts';
import type { GiveFeedback } from '../../core/verification/feedback.ts';
import { refuseLimited } from '../limited.ts';
import { sendProblem } from '../problem.ts';
import { callerOf } from '../request.ts';
import { VerificationId } from '../schemas.ts';

const Path = Type.Object({ id: VerificationId });

const VerdictSchema = Type.Unsafe<FraudVerdict | null>({
  type: ['string', 'null'],
  enum: [...VERDICTS, null],
  description:
    '`fraud`: whoever asked was no genuine user. `good`: a genuine user. `null` takes back what was said.',
  examples: ['fraud'],
});

const Body = Type.Object({ verdict: VerdictSchema });

const Answer = Type.Object(
  { id: VerificationId, verdict: VerdictSchema },
  { description: 'The verdict is written, or taken back.' },
);

export function registerFeedback(
  app: FastifyInstance,
  giveFeedback: GiveFeedback,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.post<{ Params: Static<typeof Path>; Body: Static<typeof Body> }>(
    '/verifications/:id/feedback',
    {
      ...hooks,
      schema: {
        operationId: 'giveFeedback',
        tags: ['verification'],
        summary: 'Say what a verification turned out to be',
        description:
          'Evidence for the guard, for seven days after the request for the code. A verification has one verdict: a later one replaces it, `null` takes it back, and the same again changes nothing. Counts as a request with the key. The verification must have been requested by the same account, and with a key of the same kind, live or test. Verdicts of test keys are kept and reach nobody.',
        security: [{ apiKey: [] }],
        params: Path,
        body: Body,
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
      const { verdict } = request.body;
      const answer = await giveFeedback(callerOf(request), request.params.id, verdict);
      switch (answer.kind) {
        case 'given':
          return { id: answer.id, verdict };
        case 'unknown':
          return sendProblem(reply, 'verification-not-found');
        case 'limited':
          return refuseLimited(reply, answer);
      }
    },
  );
}
