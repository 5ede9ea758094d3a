/** Brings one notification to a webhook, signed if it has a secret. */
import type { Clock } from '../core/seams/clock.ts';
import { createPost } from '../events/post.ts';
import { signWebhook } from '../events/sign.ts';
import type { SentNotification } from './mail.ts';
import type { Notification } from './notification.ts';

export interface NotificationWebhook {
  readonly url: string;
  /** Without it nothing is signed. */
  readonly secret?: string | undefined;
}

interface PostOptions {
  readonly privateNetworks: readonly string[];
  readonly clock: Clock;
}

/** The operator's own webhook may be anywhere; without TLS only on a private network. */
export const EVERYWHERE = ['0.0.0.0/0', '::/0'];

const TIMEOUT_MS = 10_000;

export async function postNotification(
  { url, secret }: NotificationWebhook,
  { id, body }: Notification,
  { privateNetworks, clock }: PostOptions,
): Promise<SentNotification> {
  const post = createPost(url, { clock, privateNetworks, connections: 1, timeoutMs: TIMEOUT_MS });
  try {
    const seconds = Math.floor(clock.now() / 1_000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      ...(secret !== undefined && {
        'webhook-signature': signWebhook([secret], { id, seconds, body }),
      }),
    };
    const answer = await post.send(async () => ({ body, headers }));
    if (answer.kind !== 'answered') return { kind: 'failed', answer: answer.reason };
    const isTaken = answer.status >= 200 && answer.status < 300;
    return isTaken ? { kind: 'sent' } : { kind: 'failed', answer: `HTTP ${answer.status}` };
  } finally {
    post.close();
  }
}
