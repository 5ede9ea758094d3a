/**
 * Delivery reports for one recipient, and inbound messages: of the SMS API, and of the webhook of an app of the Conversation API. Both are
 * signed by HMAC-SHA256 over the body, a nonce and the time, each with its own secret.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../core/seams/clock.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { errorNameAt, parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { header, isFresh } from '../gateway/signature.ts';
import { mobileNetworkOf } from '../gateway/stated-price.ts';
import type { Senders } from '../sender-of.ts';

const TOLERANCE_S = 300;
const MESSAGES = {
  delivered: ['Delivered'],
  undelivered: ['Aborted', 'Cancelled', 'Rejected', 'Deleted', 'Failed', 'Expired'],
};
/** Of RCS. There is no other channel that a message could switch to. */
const RCS = { delivered: ['DELIVERED', 'READ'], undelivered: ['FAILED'] };

/** Those that there are. */
interface Secrets {
  readonly sms: string | undefined;
  readonly rcs: string | undefined;
}

export function createCallbackReader(
  { wall }: Clock,
  carrier: string,
  secrets: Secrets,
  { from, senders = {} }: Senders = {},
) {
  const apps = new Set([from, ...Object.values(senders)]);
  return (callback: Callback): CallbackAnswer => {
    const body = parseAnswer(callback.body.toString());
    // Only the Conversation API names an app.
    const app = textAt(body, 'app_id');
    const secret = app === undefined ? secrets.sms : secrets.rcs;
    if (secret === undefined || !isSignedBySinch(callback, secret, wall())) return { kind: 'forged' };
    if (app === undefined) return readMessage(carrier, body);
    return apps.has(app) ? readConversation(carrier, body) : NO_RECEIPT;
  };
}

function readMessage(carrier: string, body: unknown): CallbackAnswer {
  if (textAt(body, 'type') === 'mo_text') {
    return heard(carrier, textAt(body, 'from') ?? '', textAt(body, 'body') ?? '');
  }
  const batch = textAt(body, 'batch_id');
  const status = textAt(body, 'status');
  if (!batch || !status) return { kind: 'malformed', detail: 'needs batch_id and status' };
  const code = textAt(body, 'code');
  const reason = code === undefined ? status : `${status}, code ${code}`;
  return report(carrier, batch, status, MESSAGES, reason, {
    network: mobileNetworkOf(textAt(body, 'operator')),
  });
}

/** Whatever else the webhook is set to tell is passed over. */
function readConversation(carrier: string, body: unknown): CallbackAnswer {
  const told = typeof body === 'object' && body !== null ? body : {};
  if ('message' in told) return readInbound(carrier, told.message);
  if (!('message_delivery_report' in told)) return NO_RECEIPT;
  const { message_delivery_report: delivery } = told;
  const id = textAt(delivery, 'message_id');
  const status = textAt(delivery, 'status');
  if (!id || !status) return { kind: 'malformed', detail: 'needs message_id and status' };
  return report(carrier, id, status, RCS, errorNameAt(delivery, 'reason.code'));
}

/** Of a suggested reply, Sinch tells what its message put behind it, and not what it shows. */
function readInbound(carrier: string, message: unknown): CallbackAnswer {
  if (textAt(message, 'channel_identity.channel') !== 'RCS') return NO_RECEIPT;
  const said =
    textAt(message, 'contact_message.text_message.text') ??
    textAt(message, 'contact_message.choice_response_message.postback_data');
  return said === undefined
    ? NO_RECEIPT
    : heard(carrier, textAt(message, 'channel_identity.identity') ?? '', said);
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
