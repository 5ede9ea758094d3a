/** Delivery reports for one recipient, and inbound messages, signed by HMAC-SHA256 over the body, a nonce and the time. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../core/seams/clock.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { report } from '../gateway/report.ts';
import { header, isFresh } from '../gateway/signature.ts';
import { mobileNetworkOf } from '../gateway/stated-price.ts';

const TOLERANCE_S = 300;
const FINAL = {
  delivered: ['Delivered'],
  undelivered: ['Aborted', 'Cancelled', 'Rejected', 'Deleted', 'Failed', 'Expired'],
};

export function createCallbackReader({ wall }: Clock, carrier: string, secret: string) {
  return (callback: Callback): CallbackAnswer => {
    if (!isSignedBySinch(callback, secret, wall())) return { kind: 'forged' };
    const body = parseAnswer(callback.body.toString());
    if (textAt(body, 'type') === 'mo_text') {
      return heard(carrier, textAt(body, 'from') ?? '', textAt(body, 'body') ?? '');
    }
    const batch = textAt(body, 'batch_id');
    const status = textAt(body, 'status');
    if (!batch || !status) return { kind: 'malformed', detail: 'needs batch_id and status' };
    const code = textAt(body, 'code');
    const reason = code === undefined ? status : `${status}, code ${code}`;
    return report(carrier, batch, status, FINAL, reason, {
      network: mobileNetworkOf(textAt(body, 'operator')),
    });
  };
}

export function isSignedBySinch(callback: Callback, secret: string, now: number): boolean {
  const signature = header(callback, 'x-sinch-webhook-signature');
  const nonce = header(callback, 'x-sinch-webhook-signature-nonce');
  const timestamp = header(callback, 'x-sinch-webhook-signature-timestamp');
  // Only this algorithm is ever tried: a callback with another one cannot be checked.
  const algorithm = header(callback, 'x-sinch-webhook-signature-algorithm') ?? 'HmacSHA256';
  if (signature === undefined || nonce === undefined || algorithm !== 'HmacSHA256') return false;
  const mac = createHmac('sha256', secret).update(callback.body).update(`.${nonce}.${timestamp}`);
  return isFresh(timestamp, TOLERANCE_S, now) && areEqual(signature, mac.digest('base64'));
}
