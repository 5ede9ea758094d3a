/** /portal/api/accounts/:account/alerts/email and /webhook: who is notified of an account's alerts. */
import type { FastifyRequest } from 'fastify';
import {
  placeAlertWebhook,
  readAlertChannels,
  removeAlertWebhook,
  subscribe,
  unsubscribe,
} from '../../accounts/alerts/channels.ts';
import { findSettings } from '../../accounts/settings.ts';
import { memberOf } from '../../identity/access.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { type Refusal, refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import { AlertWebhookSecret, NewAlertWebhook, TestAnswer } from './contract.ts';
import { changeBy } from './routes.ts';

const NO_MAIL = 'The service has no server to send mail with. Its operator can configure one (smtp).';
const NOT_WANTED = 'You get no mail of alerts. Ask for it first.';
const NO_WEBHOOK = 'There is no webhook to try out. Add one first.';
const TOO_SOON = 'There was a test a moment ago. Try again in half a minute.';

export const alertChannels = {
  subscribeToAlerts: operation({
    summary: 'Get alerts by mail',
    description:
      'To the person’s own address. For owners and developers; whoever becomes a viewer gets none.',
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, portal) => {
      if (!portal.alerts.hasMail) return refuseConflict(NO_MAIL);
      const by = memberOf(request);
      await subscribe(by.records, { ...changeBy(portal, by), personId: by.personId });
      return DONE;
    },
  }),

  unsubscribeFromAlerts: operation({
    summary: 'Get no alerts by mail any more',
    description: 'Of this account.',
    response: { 204: NoContent },
    handler: async (request, portal) => {
      const by = memberOf(request);
      await unsubscribe(by.records, { ...changeBy(portal, by), personId: by.personId });
      return DONE;
    },
  }),

  testAlertMail: operation({
    summary: 'Try out mail of alerts',
    description: 'Sends a test to the person’s own address, and answers what became of it.',
    response: { 200: TestAnswer },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const { accountId, personId } = memberOf(request);
      if (!portal.alerts.hasMail) return refuseConflict(NO_MAIL);
      const { subscribers } = await readAlertChannels(portal.records, accountId);
      if (!subscribers.some(({ id }) => id === personId)) return refuseConflict(NOT_WANTED);
      return tryOut(request, portal, { channel: 'email', target: personId });
    },
  }),

  placeAlertWebhook: operation({
    summary: 'Tell alerts to a webhook',
    description:
      'Instead of the one before. Answers the secret that signs what is sent (Standard Webhooks), once. The address is kept sealed, and not shown again.',
    body: NewAlertWebhook,
    response: { 200: AlertWebhookSecret },
    handler: async (request, portal) => {
      const by = memberOf(request);
      const { keyring, privateNetworks } = portal;
      const deps = { records: by.records, keyring, privateNetworks };
      const placed = await placeAlertWebhook(deps, changeBy(portal, by), request.body.url);
      if (placed.kind === 'wrong') return refuseField(placed.error.field, placed.error);
      return { secret: placed.secret };
    },
  }),

  removeAlertWebhook: operation({
    summary: 'Tell the webhook no alerts any more',
    description: 'Its address and its secret are deleted.',
    response: { 204: NoContent },
    handler: async (request, portal) => {
      const by = memberOf(request);
      return (await removeAlertWebhook(by.records, changeBy(portal, by))) ? DONE : refuse('not-found');
    },
  }),

  testAlertWebhook: operation({
    summary: 'Try out the webhook of alerts',
    description: 'Sends a test, and answers what became of it.',
    response: { 200: TestAnswer },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const { webhook } = await readAlertChannels(portal.records, memberOf(request).accountId);
      if (webhook === null) return refuseConflict(NO_WEBHOOK);
      return tryOut(request, portal, { channel: 'webhook', target: '' });
    },
  }),
};

async function tryOut(
  request: FastifyRequest,
  portal: Portal,
  place: { readonly channel: 'email' | 'webhook'; readonly target: string },
): Promise<TestAnswer | Refusal> {
  const { records, alerts } = portal;
  const by = memberOf(request);
  const { accountId } = by;
  const account = (await findSettings(records, accountId))?.name ?? accountId;
  const change = { ...changeBy(portal, by), account };
  const tried = await alerts.tryOut(by.records, { accountId, ...place }, change);
  switch (tried.kind) {
    case 'too-soon':
      return refuseConflict(TOO_SOON);
    case 'sent':
      return { sent: true, answer: null };
    case 'failed':
      return { sent: false, answer: tried.answer };
  }
}
