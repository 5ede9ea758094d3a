/**
 * POST or GET /carriers/NAME/receipts: where carriers report how messages fared. Not in the OpenAPI document: nobody but
 * the carriers calls it, each in a format of its own that its documentation describes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Callback, CallbackAnswer, Carrier, Receipt } from '../../core/carrier.ts';
import { sendProblem, sendUnavailable } from '../problem.ts';

/** What the route needs of the carriers. */
export interface ReceiptDesk {
  /** The address that carriers know this service by, without a slash at its end. */
  readonly publicUrl: string;
  /** Undefined where no carrier of that name makes callbacks. */
  read(carrier: string, callback: Callback): CallbackAnswer | Promise<CallbackAnswer> | undefined;
  /** Resolves when the receipt is durable. */
  receive(receipt: Receipt): Promise<void>;
}

/** `publicUrl` is undefined where no carrier can reach this service. */
export function createReceiptDesk(
  publicUrl: string | undefined,
  carriers: readonly Carrier[],
  receive: ReceiptDesk['receive'],
): ReceiptDesk | undefined {
  if (publicUrl === undefined) return undefined;
  const byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
  return { publicUrl, receive, read: (name, callback) => byName.get(name)?.readCallback?.(callback) };
}

/** Some carriers put many receipts into one request. */
const MAX_BODY_BYTES = 256 * 1024;

export function registerCarrierReceipts(
  app: FastifyInstance,
  desk: ReceiptDesk,
  hooks: Pick<RouteShorthandOptions, 'onRequest'>,
): void {
  // A scope of its own, for its bodies are bytes whatever they claim to be: signatures cover bytes.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    scope.route<{ Params: { name: string }; Body: Buffer | undefined }>({
      method: ['GET', 'POST'],
      url: '/carriers/:name/receipts',
      ...hooks,
      bodyLimit: MAX_BODY_BYTES,
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: async (request, reply) => {
        const answer = await desk.read(request.params.name, readCallback(desk.publicUrl, request));
        return answer === undefined ? sendProblem(reply, 'not-found') : conclude(reply, answer, desk);
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
  desk: ReceiptDesk,
): Promise<FastifyReply> {
  switch (answer.kind) {
    case 'receipts':
      // Answered only when all are durable; otherwise the carrier reports again, and what was kept already is a duplicate.
      await Promise.all(answer.receipts.map((receipt) => desk.receive(receipt)));
      return reply.code(204).send();
    case 'forged':
      return sendProblem(reply, 'forged-callback');
    case 'malformed':
      return sendProblem(reply, 'invalid-request', { errors: [{ field: 'body', detail: answer.detail }] });
    case 'unavailable':
      return sendUnavailable(reply, 'unavailable');
  }
}
