/** How endpoints are shown. */
import type { Webhook } from '../../core/events/endpoint.ts';

const stateOf = ({ disabled, failingSince, lastSuccessAt }: Webhook): string => {
  if (disabled !== null) return 'disabled';
  if (failingSince !== null) return 'failing';
  return lastSuccessAt === null ? 'unused' : 'works';
};

export const shownInTable = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  state: stateOf(webhook),
  types: webhook.types.length === 0 ? 'all' : webhook.types.join(','),
  numbers: webhook.fullNumbers ? 'full' : 'masked',
});

export const shownAsJson = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  state: stateOf(webhook),
  types: webhook.types,
  full_numbers: webhook.fullNumbers,
  created_at: formatTime(webhook.createdAt),
  failing_since: formatTime(webhook.failingSince),
  last_success_at: formatTime(webhook.lastSuccessAt),
  last_failure_at: formatTime(webhook.lastFailure?.at ?? null),
  last_failure: webhook.lastFailure?.answer ?? null,
  disabled_at: formatTime(webhook.disabled?.at ?? null),
  disabled_why: webhook.disabled?.why ?? null,
  previous_secret_until: formatTime(webhook.previousUntil),
});

export function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
