/** The webhook of an app of Sinch's Conversation API, as Sinch signs it. */
import { createHmac } from 'node:crypto';

export const WEBHOOK_SECRET = 'secret-of-the-webhook';

export function signed(fields: object, url: string, at: number, secret = WEBHOOK_SECRET) {
  const body = JSON.stringify(fields);
  const timestamp = String(Math.floor(at / 1_000));
  return {
    ...{ method: 'POST', url, body: Buffer.from(body) },
    headers: {
      'x-sinch-webhook-signature': createHmac('sha256', secret)
        .update(`${body}.nonce.${timestamp}`)
        .digest('base64'),
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
      'x-sinch-webhook-signature-nonce': 'nonce',
      'x-sinch-webhook-signature-timestamp': timestamp,
    },
  };
}
