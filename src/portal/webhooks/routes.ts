/** /portal/api/accounts/:account/webhooks: owners and developers change endpoints; viewers can look. */
import type { FastifyRequest } from 'fastify';
import { onBehalfOf } from '../../accounts/standing.ts';
import { provided, sameWebhook } from '../../accounts/unchanged.ts';
import type { NumbersChange } from '../../accounts/webhooks/change.ts';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
} from '../../accounts/webhooks/endpoints.ts';
import { revealWebhookSecret, rotateWebhookSecret } from '../../accounts/webhooks/secrets.ts';
import { MAX_WEBHOOKS } from '../../core/events/endpoint.ts';
import type { Records } from '../../core/sql/records.ts';
import { isProven, memberOf } from '../../identity/access.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { type Refusal, refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import { NewWebhook, WebhookChangeRequest, WebhookSecret, Webhooks, WebhookView } from './contract.ts';
import { showWebhook, webhookVersion } from './webhooks.ts';

const TOO_MANY = `The account has ${MAX_WEBHOOKS} endpoints, which is the maximum. Remove one that is not needed.`;
const NOT_DISABLED = 'The endpoint is not disabled.';
const DISABLED = 'The endpoint is disabled already.';
const LOST = 'No secret of the service opens it any more. Rotate it.';

type One = FastifyRequest<{ Params: { id: string } }>;

const changeOf = (request: One, portal: Portal): NumbersChange => {
  const by = memberOf(request);
  const { accountId } = by;
  const [now, mayGive] = [portal.clock.wall(), mayGiveNumbers(request, portal)];
  return { accountId, by, id: request.params.id, now, mayGiveNumbers: mayGive };
};

/** Full numbers are for owners, here as everywhere: what an owner changes is undone for nobody but an owner. */
function recordsOf(request: FastifyRequest, { records }: Portal): Records {
  const by = memberOf(request);
  return by.role === 'owner' ? onBehalfOf(records, by, 'owner') : by.records;
}

const find = async (
  { records }: Portal,
  { accountId, id, now }: Pick<NumbersChange, 'accountId' | 'id' | 'now'>,
) => {
  const found = await findWebhook(records, accountId, id, now);
  return found && showWebhook(found);
};

export const webhooks = {
  listWebhooks: operation({
    summary: 'List the endpoints of webhooks',
    description: 'In the order in which they were added, without their secrets.',
    response: { 200: Webhooks },
    handler: async (request, { clock, records }) =>
      (await listWebhooks(records, memberOf(request).accountId, clock.wall())).map(showWebhook),
  }),

  readWebhook: operation({
    summary: 'Read one endpoint',
    description: 'Without its secret.',
    params: { id: Id },
    response: { 200: WebhookView },
    handler: async (request, portal) =>
      (await find(portal, changeOf(request, portal))) ?? refuse('not-found'),
  }),

  addWebhook: operation({
    summary: 'Add an endpoint',
    description:
      'Answers the secret that its messages are signed with. Only owners can have full numbers sent, after a fresh proof.',
    body: NewWebhook,
    response: { 201: WebhookSecret },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const by = memberOf(request);
      const { url, types, full_numbers: fullNumbers = false } = request.body;
      if (fullNumbers && !mayGiveNumbers(request, portal)) return refuseNumbers(request);
      const { keyring, privateNetworks } = portal;
      const deps = { records: recordsOf(request, portal), keyring, privateNetworks };
      const now = portal.clock.wall();
      const { accountId } = by;
      const added = await addWebhook(deps, { accountId, by, now, url, types, fullNumbers });
      if (added.kind === 'wrong') return refuseField(added.error.field, added.error);
      if (added.kind === 'too-many') return refuseConflict(TOO_MANY);
      const { id, secret } = added;
      const webhook = await find(portal, { accountId, id, now });
      return webhook === undefined ? refuse('not-found') : { webhook, secret };
    },
  }),

  changeWebhook: operation({
    summary: 'Change an endpoint',
    description:
      'Fields that are left out stay as they are. Only owners can have full numbers sent, or the address changed of an endpoint that gets them, after a fresh proof. With the `version` that was read, nothing is replaced that somebody else changed since.',
    params: { id: Id },
    body: WebhookChangeRequest,
    response: { 200: WebhookView },
    problems: ['outdated'],
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      const { url, types, full_numbers: fullNumbers, version } = request.body;
      const { privateNetworks } = portal;
      const wish = { url, types, fullNumbers };
      let records = recordsOf(request, portal);
      if (version !== undefined) {
        const before = await findWebhook(portal.records, change.accountId, change.id, change.now);
        if (before === undefined) return refuse('not-found');
        if (version !== webhookVersion(before)) return refuse('outdated');
        records = provided(records, change.accountId, sameWebhook(before));
      }
      const deps = { records, privateNetworks };
      const changed = await changeWebhook(deps, { ...change, ...wish });
      switch (changed.kind) {
        case 'changed':
          return (await find(portal, change)) ?? refuse('not-found');
        case 'wrong':
          return refuseField(changed.error.field, changed.error);
        case 'numbers':
          return refuseNumbers(request);
        case 'unknown':
          return refuse('not-found');
      }
    },
  }),

  revealWebhookSecret: operation({
    summary: 'Read the secret of an endpoint',
    description: 'The audit log records each call. For owners, if the endpoint gets full numbers.',
    params: { id: Id },
    response: { 200: WebhookSecret },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      const deps = { records: recordsOf(request, portal), keyring: portal.keyring };
      const revealed = await revealWebhookSecret(deps, change);
      if (revealed.kind === 'lost') return refuseConflict(LOST);
      const webhook = await find(portal, change);
      if (webhook === undefined) return refuse('not-found');
      if (revealed.kind === 'unknown') return refuseNumbers(request);
      return { webhook, secret: revealed.secret };
    },
  }),

  rotateWebhookSecret: operation({
    summary: 'Rotate the secret of an endpoint',
    description:
      'Answers a new one. For a day, messages are signed with the previous one, too. For owners, if the endpoint gets full numbers.',
    params: { id: Id },
    response: { 200: WebhookSecret },
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      const deps = { records: recordsOf(request, portal), keyring: portal.keyring };
      const secret = await rotateWebhookSecret(deps, change);
      const webhook = await find(portal, change);
      if (webhook === undefined) return refuse('not-found');
      if (secret === undefined) return refuseNumbers(request);
      return { webhook, secret };
    },
  }),

  enableWebhook: operation({
    summary: 'Enable a disabled endpoint',
    description:
      'What was waiting when it was disabled is tried again. For owners after a fresh proof, if the endpoint gets full numbers.',
    params: { id: Id },
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      if (await enableWebhook(recordsOf(request, portal), change)) return DONE;
      const found = await find(portal, change);
      if (found?.state === 'disabled' && found.full_numbers && !change.mayGiveNumbers)
        return refuseNumbers(request);
      return refuseState(found, NOT_DISABLED);
    },
  }),

  disableWebhook: operation({
    summary: 'Disable an endpoint',
    description:
      'Nothing is sent to it until somebody enables it, and what happens until then is not kept for it.',
    params: { id: Id },
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, portal) => {
      const change = changeOf(request, portal);
      if (await disableWebhook(memberOf(request).records, change, 'by-hand')) return DONE;
      return refuseState(await find(portal, change), DISABLED);
    },
  }),

  removeWebhook: operation({
    summary: 'Remove an endpoint',
    description: 'Nothing more is sent to it. Its secret and its messages are deleted.',
    params: { id: Id },
    response: { 204: NoContent },
    handler: async (request, portal) =>
      (await removeWebhook(memberOf(request).records, changeOf(request, portal)))
        ? DONE
        : refuse('not-found'),
  }),
};

const mayGiveNumbers = (request: FastifyRequest, portal: Portal): boolean =>
  memberOf(request).role === 'owner' && isProven(portal, request);

const refuseNumbers = (request: FastifyRequest): Refusal =>
  refuse(memberOf(request).role === 'owner' ? 'proof-needed' : 'forbidden');

const refuseState = (found: WebhookView | undefined, detail: string): Refusal =>
  found === undefined ? refuse('not-found') : refuseConflict(detail);
