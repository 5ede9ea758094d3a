/** How the portal shows endpoints and their messages. */
import type { SentMessage } from '../../accounts/webhooks/messages.ts';
import type { Webhook as Endpoint } from '../../core/events/endpoint.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import { versionOf } from '../../operations/version.ts';
import type { Message, WebhookView } from './contract.ts';

export function showWebhook(endpoint: Endpoint): WebhookView {
  const { id, url, types, fullNumbers, lastFailure, disabled } = endpoint;
  return {
    id,
    url,
    types: [...types],
    full_numbers: fullNumbers,
    created_at: formatInstant(endpoint.createdAt),
    state: stateOf(endpoint),
    failing_since: formatOptional(endpoint.failingSince),
    last_success_at: formatOptional(endpoint.lastSuccessAt),
    last_failure_at: formatOptional(lastFailure?.at ?? null),
    last_failure: lastFailure?.answer ?? null,
    disabled_at: formatOptional(disabled?.at ?? null),
    disabled_why: disabled?.why ?? null,
    previous_secret_until: formatOptional(endpoint.previousUntil),
    version: webhookVersion(endpoint),
  };
}

export const webhookVersion = ({ url, types, fullNumbers }: Endpoint): string =>
  versionOf([url, types, fullNumbers]);

function stateOf({ disabled, failingSince, lastSuccessAt }: Endpoint): WebhookView['state'] {
  if (disabled !== null) return 'disabled';
  if (failingSince !== null) return 'failing';
  return lastSuccessAt === null ? 'unused' : 'works';
}

export function showMessage(message: SentMessage): Message {
  const { id, type, at, state, tries, nextTryAt, lastTryAt, lastAnswer, sentAt } = message;
  return {
    ...{ id, type, state, tries },
    at: formatInstant(at),
    last_try_at: formatOptional(lastTryAt),
    last_answer: lastAnswer,
    // What is due at 0 goes as soon as it can.
    next_try_at: formatOptional(nextTryAt === 0 ? null : nextTryAt),
    sent_at: formatOptional(sentAt),
  };
}
