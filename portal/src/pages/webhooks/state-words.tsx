import { Badge } from '@mantine/core';
import type { WebhookView } from '#contract/webhooks.ts';
import { formatMinute } from '../../format/time.ts';
import { When } from '../../parts/when.tsx';
import { DISABLED, STATES } from './words.ts';

export function StateBadge({ state }: Pick<WebhookView, 'state'>) {
  return (
    <Badge variant="light" color={STATES[state].color}>
      {STATES[state].label}
    </Badge>
  );
}

/** How an endpoint does, in a sentence or two. */
export function StateWords({ webhook }: { readonly webhook: WebhookView }) {
  switch (webhook.state) {
    case 'unused':
      return 'Nothing was sent to it yet.';
    case 'works':
      return (
        <>
          Took a message <When at={webhook.last_success_at} />.
        </>
      );
    case 'failing':
      return (
        <>
          Nothing but failures since {formatMinute(webhook.failing_since ?? webhook.created_at)}, the last
          one: {webhook.last_failure}. Messages wait and are tried again.
        </>
      );
    case 'disabled':
      return (
        <>
          Disabled <When at={webhook.disabled_at} />.{' '}
          {webhook.disabled_why !== null && DISABLED[webhook.disabled_why]} Nothing is sent to it.
        </>
      );
  }
}
