/** GET /simulator/messages: what the account's simulated telephones received. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type ParsedDestination,
  parseAnyDestination,
  type RefusedDestination,
} from '../../core/destination/destination.ts';
import { type InboxDeps, readInbox, type SimulatorMessage } from '../../core/verification/reading/inbox.ts';
import type { Caller } from '../../core/verification/request.ts';
import { sendProblem } from '../problem.ts';
import { callerOf } from '../request.ts';
import { ChannelSchema, DestinationSchema, Instant, ShownDestination, VerificationId } from '../schemas.ts';

/** The caller's messages, newest first, or why the destination is not one. */
export type ReadMessages = (
  caller: Caller,
  destination: string | undefined,
) => Promise<{ readonly ok: true; readonly messages: readonly SimulatorMessage[] } | RefusedDestination>;

/** In a query, a plus sign stands for a space (WHATWG URL, application/x-www-form-urlencoded). */
const UNESCAPED_PLUS = /^(?:tel:)? \d/i;
const ESCAPE_IT: RefusedDestination = {
  ok: false,
  code: 'unescaped_plus',
  detail: 'Write the plus sign as %2B: unescaped, it is a space in a query.',
};

export function createMessageReader(deps: InboxDeps): ReadMessages {
  return async (caller, input) => {
    const parsed = input === undefined ? undefined : parseQueried(input);
    if (parsed?.ok === false) return parsed;
    const address = parsed?.destination.address;
    return { ok: true, messages: await readInbox(deps, caller, address) };
  };
}

function parseQueried(input: string): ParsedDestination {
  const parsed = parseAnyDestination(input);
  return !parsed.ok && UNESCAPED_PLUS.test(input) ? ESCAPE_IT : parsed;
}

const Query = Type.Object({ destination: Type.Optional(DestinationSchema) });

const Answer = Type.Array(
  Type.Object({
    id: VerificationId,
    destination: ShownDestination,
    channel: ChannelSchema,
    text: Type.String({
      description: 'The text of the message.',
      examples: ['123456 is your Countersign code.'],
    }),
    code: Type.String({ description: 'The code in it.', examples: ['123456'] }),
    at: Instant,
  }),
  {
    description:
      'The messages of the key’s account and kind, newest first. A `destination` that was asked for is there in full.',
  },
);

export function registerSimulatorMessages(
  app: FastifyInstance,
  messages: ReadMessages,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/simulator/messages',
    {
      ...hooks,
      schema: {
        operationId: 'readSimulatorMessages',
        tags: ['simulator'],
        summary: 'Read the simulator’s messages',
        description:
          'Only the simulator’s messages can be read, never those of a real carrier: with a test key those of test keys, with a live key those of live keys.',
        security: [{ apiKey: [] }],
        querystring: Query,
        response: { 200: Answer },
      },
      config: { problems: ['invalid-request', 'unauthenticated', 'invalid-key', 'unavailable'] },
    },
    async (request, reply) => {
      const found = await messages(callerOf(request), request.query.destination);
      if (!found.ok) {
        return sendProblem(reply, 'invalid-request', {
          errors: [{ field: 'destination', code: found.code, detail: found.detail }],
        });
      }
      return found.messages.map((message) => ({ ...message, at: new Date(message.at).toISOString() }));
    },
  );
}
