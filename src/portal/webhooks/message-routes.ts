/** /portal/api/accounts/:account/webhooks/:id/messages: what was sent to an endpoint, and sending it again. */
import type { FastifyRequest } from 'fastify';
import { findWebhook } from '../../accounts/webhooks/endpoints.ts';
import {
  findMessage,
  recentMessages,
  replayMessage,
  replayMessages,
  testWebhook,
} from '../../accounts/webhooks/messages.ts';
import { memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, NO_CURSOR, NoContent } from '../../operations/conventions.ts';
import { formatInstant, parseSpan } from '../../operations/instant.ts';
import { type Refusal, refuse, refuseConflict, refuseField, refuseFields } from '../../operations/refusal.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import {
  MessageDetail,
  MessagesQuery,
  Replayed,
  ReplayRequest,
  TestMessage,
  WebhookMessagePage,
} from './contract.ts';
import { showMessage } from './webhooks.ts';

const DISABLED = 'Nothing is sent to this endpoint, because it is disabled. Enable it first.';
const WAITING = 'The message is waiting to be sent already.';

type One = FastifyRequest<{ Params: { id: string } }>;
type OneMessage = FastifyRequest<{ Params: { id: string; message: string } }>;

const isThere = async (request: One, { clock, records }: Portal): Promise<boolean> =>
  (await findWebhook(records, memberOf(request).accountId, request.params.id, clock.wall())) !== undefined;

/** Why nothing was sent. */
const whyNot = async (request: One, portal: Portal): Promise<Refusal> =>
  (await isThere(request, portal)) ? refuseConflict(DISABLED) : refuse('not-found');

const changeOf = (request: One, { clock }: Portal) => {
  const by = memberOf(request);
  return { accountId: by.accountId, by, id: request.params.id, now: clock.wall() };
};

const find = ({ records }: Portal, request: OneMessage) =>
  findMessage(records, memberOf(request).accountId, request.params.id, request.params.message);

export const webhookMessages = {
  testWebhook: operation({
    summary: 'Send a test to an endpoint',
    description:
      'A message of the type `webhook.test`. Answers its id: its state says whether the endpoint took it.',
    params: { id: Id },
    response: { 201: TestMessage },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const message = await testWebhook(memberOf(request).records, changeOf(request, portal));
      return message === undefined ? whyNot(request, portal) : { message };
    },
  }),

  listWebhookMessages: operation({
    summary: 'List the messages to an endpoint',
    description: 'Newest first, fifty at a time, as far back as they are kept.',
    params: { id: Id },
    querystring: MessagesQuery,
    response: { 200: WebhookMessagePage },
    handler: async (request, portal) => {
      const { before } = request.query;
      if (!(await isThere(request, portal))) return refuse('not-found');
      const from = before === undefined ? undefined : readCursor(before);
      if (from === null) return refuseField('before', NO_CURSOR);
      const { accountId } = memberOf(request);
      const { messages, next } = await recentMessages(portal.records, accountId, request.params.id, from);
      return { messages: messages.map(showMessage), next: next === null ? null : String(next) };
    },
  }),

  readWebhookMessage: operation({
    summary: 'Read one message to an endpoint',
    description: 'With its body. The number in it is masked here, whatever the endpoint gets.',
    params: { id: Id, message: Id },
    response: { 200: MessageDetail },
    handler: async (request, portal) => {
      const found = await find(portal, request);
      if (found === undefined) return refuse('not-found');
      const body = await portal.lookup.readEventBody(memberOf(request).accountId, found);
      const failures = found.failures.map(({ at, answer }) => ({ at: formatInstant(at), answer }));
      return { message: showMessage(found), failures, body };
    },
  }),

  replayWebhookMessage: operation({
    summary: 'Send one message again',
    description: 'Under its id, so that the endpoint can tell that it got it before.',
    params: { id: Id, message: Id },
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const { message } = request.params;
      const change = { ...changeOf(request, portal), message };
      if (await replayMessage(memberOf(request).records, change)) return DONE;
      const found = await find(portal, request);
      if (found === undefined) return refuse('not-found');
      return found.state === 'waiting' ? refuseConflict(WAITING) : whyNot(request, portal);
    },
  }),

  replayWebhookMessages: operation({
    summary: 'Send the messages of a time span again',
    description: 'By the times of their events. Only those that were given up, unless it says otherwise.',
    params: { id: Id },
    body: ReplayRequest,
    response: { 200: Replayed },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      const span = parseSpan(request.body);
      if (!span.ok) return refuseFields(span.errors);
      const { from: since = 0, to: until = change.now } = span;
      const alsoTaken = request.body.also_taken;
      const messages = await replayMessages(memberOf(request).records, {
        ...change,
        since,
        until,
        alsoTaken,
      });
      return messages === undefined ? whyNot(request, portal) : { messages };
    },
  }),
};

/** Null if the text is not a cursor. */
const readCursor = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
