/**
 * POST or GET /carriers/NAME/receipts: where carriers report what became of messages, and what people send back. It is not in the OpenAPI document:
 * only carriers call it, each in its own format.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Logger } from 'pino';
import { logOnceAMinute } from '../../core/reporting/log-once-a-minute.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type {
  Callback,
  CallbackAnswer,
  Carrier,
  Hear,
  InboundMessage,
  Receipt,
} from '../../core/sending/carrier.ts';
import type { NoteUnusable } from '../../core/sending/unusable-receipts.ts';
import { sendProblem, sendUnavailable } from '../problem.ts';
import { createBodyReader, USUAL_BYTES } from './callback-body.ts';

export interface ReceiptHandler {
  /** The address where carriers reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Undefined if no carrier of that name makes callbacks. */
  read(carrier: string, callback: Callback): CallbackAnswer | Promise<CallbackAnswer> | undefined;
  /** The most bytes that a callback of that carrier may have; undefined if no carrier of that name makes callbacks. */
  largest(carrier: string): number | undefined;
  /** The status that says to a carrier that its callback is stored. */
  acknowledge(carrier: string): 200 | 204;
  /** Resolves when the receipt is durable. */
  receive(receipt: Receipt): Promise<void>;
  /** Resolves when what a person asked for is durable. */
  readonly hear: Hear;
  /** Hears of callbacks that say nothing about a message. */
  readonly unusable: NoteUnusable;
  /** Whether another node has a carrier of that name, and this one none. */
  isElsewhere(carrier: string): Promise<boolean>;
}

/**
 * `publicUrl` is undefined if no carrier can reach this service. Of one name there may be several carriers while its options
 * change: the newest comes first.
 */
export function createReceiptHandler(
  publicUrl: string | undefined,
  carriersOf: (name: string) => readonly Carrier[],
  kept: Pick<ReceiptHandler, 'receive' | 'hear' | 'unusable' | 'isElsewhere'>,
): ReceiptHandler | undefined {
  if (publicUrl === undefined) return undefined;
  return {
    ...{ publicUrl, ...kept },
    isElsewhere: async (name) => carriersOf(name).length === 0 && kept.isElsewhere(name),
    read: (name, callback) => readOne(carriersOf(name), callback),
    largest: (name) => largestOf(carriersOf(name)),
    acknowledge: (name) => carriersOf(name).find(({ acknowledge }) => acknowledge)?.acknowledge ?? 204,
  };
}

function largestOf(carriers: readonly Carrier[]): number | undefined {
  const able = carriers.filter(({ readCallback }) => readCallback !== undefined);
  if (able.length === 0) return undefined;
  return Math.max(...able.map(({ largestCallback = USUAL_BYTES }) => largestCallback));
}

/** What the newest takes for forged may be signed with the secret that it had before. */
function readOne(carriers: readonly Carrier[], callback: Callback): ReturnType<ReceiptHandler['read']> {
  const [newest, ...earlier] = carriers.filter(({ readCallback }) => readCallback !== undefined);
  const answer = newest?.readCallback?.(callback);
  return answer === undefined || earlier.length === 0 ? answer : askEarlier(answer, earlier, callback);
}

async function askEarlier(
  answer: CallbackAnswer | Promise<CallbackAnswer>,
  earlier: readonly Carrier[],
  callback: Callback,
): Promise<CallbackAnswer> {
  let latest = await answer;
  for (const carrier of earlier) {
    if (latest.kind !== 'forged') break;
    latest = (await carrier.readCallback?.(callback)) ?? latest;
  }
  return latest;
}

export function registerCarrierReceipts(
  app: FastifyInstance,
  handler: ReceiptHandler,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
  { clock, log }: { readonly clock: Pick<Clock, 'steady'>; readonly log: Logger },
): void {
  const quietLog = logOnceAMinute(
    (_: 'warn', message, fields = {}) => log.warn(fields, message),
    clock.steady,
  );
  const readBody = createBodyReader({
    largest: (name) => handler.largest(name) ?? USUAL_BYTES,
    refused(carrier, why) {
      // Anybody may make up a name.
      if (handler.largest(carrier) === undefined) return;
      quietLog('warn', `a callback was refused: ${why}`, { carrier });
    },
  });
  // In its own scope, because its bodies stay bytes, whatever they claim to be: signatures cover bytes.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', ({ params }: FastifyRequest, body: IncomingMessage) =>
      readBody(String(Object(params).name), body),
    );
    scope.route<{ Params: { name: string }; Body: Buffer | undefined }>({
      method: ['GET', 'POST'],
      url: '/carriers/:name/receipts',
      ...hooks,
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { name } = request.params;
        const answer = await handler.read(name, readCallback(handler.publicUrl, request));
        // Nodes are reloaded one after the other. By the time it reports again, this one may have the carrier as well.
        if (answer === undefined && (await handler.isElsewhere(name)))
          return sendUnavailable(reply, 'unavailable');
        if (answer === undefined) return sendProblem(reply, 'not-found');
        return conclude(reply, answer, handler, name);
      },
    });
  });
}

function readCallback(publicUrl: string, request: FastifyRequest<{ Body: Buffer | undefined }>): Callback {
  const { method, url, headers, body } = request;
  return { method, url: publicUrl + url, headers, body: body ?? Buffer.alloc(0) };
}

async function conclude(
  reply: FastifyReply,
  answer: CallbackAnswer,
  handler: ReceiptHandler,
  carrier: string,
): Promise<FastifyReply> {
  const stored = handler.acknowledge(carrier);
  switch (answer.kind) {
    case 'receipts':
      // Answered only when all are durable. Otherwise the carrier reports again, and those already kept are duplicates.
      await Promise.all(answer.receipts.map((receipt) => handler.receive(receipt)));
      await hearAll(handler, answer.messages ?? []);
      if (answer.unreadable) handler.unusable(carrier, 'unreadable', answer.unreadable);
      return reply.code(stored).send();
    case 'messages':
      await hearAll(handler, answer.messages);
      return reply.code(stored).send();
    case 'challenge':
      return reply.type('text/plain; charset=utf-8').send(answer.echo);
    case 'forged':
      handler.unusable(carrier, 'forged');
      return sendProblem(reply, 'forged-callback');
    case 'malformed':
      handler.unusable(carrier, 'unreadable');
      return sendProblem(reply, 'invalid-request', {
        errors: [{ field: 'body', code: 'wrong_format', detail: answer.detail }],
      });
    case 'unavailable':
      return sendUnavailable(reply, 'unavailable');
  }
}

/** One after the other, because what somebody says last counts. */
async function hearAll(handler: ReceiptHandler, messages: readonly InboundMessage[]): Promise<void> {
  for (const message of messages) await handler.hear(message);
}
