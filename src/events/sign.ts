/** Signatures as Standard Webhooks 1.0 defines them: HMAC-SHA256 over `id.timestamp.body`, one for each secret. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export function signWebhook(
  secrets: readonly string[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
