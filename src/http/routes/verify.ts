/** POST /verify: requests a verification. */
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchemaValidationError,
  RouteShorthandOptions,
} from 'fastify';
import Type, { type Static } from 'typebox';
import { CHANNEL_NAMES, type Channel as ChannelName } from '../../core/destination/channel.ts';
import type { VerifierPort } from '../../core/verification/request.ts';
import { idempotencyHeaders, readRepeatable } from '../idempotency-key.ts';
import {
  MetadataSchema,
  Options,
  readOptionsOfBody,
  readSignalsOfBody,
  SignalsSchema,
} from '../optional-body.ts';
import { type ProblemName, sendProblem } from '../problem.ts';
import { refuseRequest } from '../refusal.ts';
import { callerOf } from '../request.ts';
import { ChannelSchema, DestinationSchema, VerificationId } from '../schemas.ts';

const Body = Type.Object({
  destination: DestinationSchema,
  channel: ChannelSchema,
  options: Type.Optional(Options),
  signals: Type.Optional(SignalsSchema),
  metadata: Type.Optional(MetadataSchema),
});

const Answer = Type.Object(
  { id: VerificationId, destination: DestinationSchema, channel: ChannelSchema },
  {
    description: 'The route is checked and the code is queued for sending. Keep `id` for the confirmation.',
  },
);

const HEADERS = idempotencyHeaders('sends nothing');

const PROBLEMS: readonly ProblemName[] = [
  'invalid-request',
  'unauthenticated',
  'invalid-key',
  'idempotency-in-progress',
  'idempotency-key-reused',
  'rate-limited',
  'quota-exceeded',
  'daily-cap-reached',
  'budget-exhausted',
  'guarded',
  'overloaded',
  'unavailable',
  'outcome-unknown',
];

export function registerVerify(
  app: FastifyInstance,
  verifier: () => VerifierPort,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.post<{ Body: Static<typeof Body> }>(
    '/verify',
    {
      ...hooks,
      attachValidation: true,
      schema: {
        operationId: 'verify',
        tags: ['verification'],
        summary: 'Request a verification',
        description: 'Sends a one-time code to the destination over the channel.',
        security: [{ apiKey: [] }],
        body: Body,
        response: { 200: Answer },
      },
      config: { problems: PROBLEMS, requestHeaders: HEADERS },
    },
    async (request, reply) => {
      const repeatable = readRepeatable(request, faultsOf(request, verifier().channels));
      if (!repeatable.ok) return sendProblem(reply, 'invalid-request', { errors: repeatable.errors });
      const { idempotencyKey } = repeatable;
      const { destination, channel, options, signals, metadata } = request.body;
      const answer = await verifier().request(callerOf(request), {
        ...{ destination, channel, idempotencyKey, metadata },
        options: options && readOptionsOfBody(options),
        signals: signals && readSignalsOfBody(signals),
      });
      return answer.kind === 'issued' ? answer : refuseRequest(reply, answer);
    },
  );
}

/**
 * What is wrong with the body where these channels are offered. The schema knows those of every service, because routes may
 * change while it runs: so of each other one it says that it is not allowed, and is wrong if a route serves it. Under an
 * Idempotency-Key, that is left to the verifier: the first request may have come while one did.
 */
function faultsOf(
  { validationError, body, headers }: FastifyRequest<{ Body: unknown }>,
  offered: readonly ChannelName[],
): readonly FastifySchemaValidationError[] {
  const faults: readonly FastifySchemaValidationError[] = validationError?.validation ?? [];
  if (faults.length === 0) return faults;
  const asked: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'channel') : undefined;
  const isRepeatable = headers['idempotency-key'] !== undefined && faults.length === 1;
  const isAmong = (channels: readonly ChannelName[]) => channels.some((channel) => channel === asked);
  const isAnswered = isAmong(offered) || (isRepeatable && isAmong(CHANNEL_NAMES));
  return faults.flatMap((fault) => {
    if (fault.keyword !== 'enum' || fault.instancePath !== '/channel') return [fault];
    return isAnswered ? [] : [{ ...fault, params: { ...fault.params, allowedValues: [...offered] } }];
  });
}
