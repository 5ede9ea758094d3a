/** Delivery receipts and inbound messages of the SMS API, events of the Voice API, and statuses of the Messages API. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { mobileNetworkOf, priceOf } from '../gateway/stated-price.ts';
import { readWhatsappSender, readWhatsappUser } from '../whatsapp/sender.ts';
import { isSignedForm, isSignedToken, type SignatureOptions } from './signature.ts';

const MESSAGES = { delivered: ['delivered'], undelivered: ['expired', 'failed', 'rejected'] };
const CALLS = {
  delivered: ['completed'],
  undelivered: ['busy', 'cancelled', 'failed', 'rejected', 'timeout', 'unanswered'],
};

/** Of WhatsApp and RCS. */
const MESSENGERS = { delivered: ['delivered', 'read'], undelivered: ['rejected', 'undeliverable'] };

/** Of the SMS API and the Voice API, which name none. */
const CURRENCY = 'EUR';

type Fields = ReadonlyMap<string, string>;

export function createCallbackReader({ wall }: Clock, carrier: string, signature: SignatureOptions) {
  return (callback: Callback): CallbackAnswer => {
    const fields = readFields(callback);
    const now = wall();
    const genuine =
      callback.headers.authorization === undefined
        ? isSignedForm(fields, signature, now)
        : isSignedToken(callback, signature.secret, now);
    if (!genuine) return { kind: 'forged' };
    const message = fields.get('message_uuid');
    if (message !== undefined) return reportMessage(carrier, message, fields, callback);
    const call = fields.get('uuid');
    const reference = call ?? fields.get('messageId');
    const status = fields.get('status');
    const [from, text] = [fields.get('msisdn'), fields.get('text')];
    // Receipts name the telephone, too, and say a status.
    if (status === undefined && from !== undefined && text !== undefined) return heard(carrier, from, text);
    if (!reference || status === undefined) {
      return { kind: 'malformed', detail: 'needs messageId or uuid, and status' };
    }
    const price = fields.get('price');
    if (call !== undefined) {
      const stated = { price: priceOf(price, CURRENCY), network: mobileNetworkOf(fields.get('network')) };
      return report(carrier, reference, status, CALLS, status, stated);
    }
    const reason = `${status}, error ${fields.get('err-code') ?? 'unknown'}`;
    return report(carrier, reference, status, MESSAGES, reason, {
      price: priceOf(price, CURRENCY, fields.get('client-ref') ?? null),
      network: mobileNetworkOf(fields.get('network-code')),
    });
  };
}

/** Of the Messages API: a status, or what somebody sent back, which has none. */
function reportMessage(
  carrier: string,
  reference: string,
  fields: Fields,
  { body }: Callback,
): CallbackAnswer {
  const status = fields.get('status');
  const parsed = parseAnswer(body.toString());
  if (status === undefined) return readInbound(carrier, fields, parsed);
  const error = textAt(parsed, 'error.title');
  return report(carrier, reference, status, MESSENGERS, error && `${status}, error ${error}`, {
    price: priceOf(textAt(parsed, 'usage.price'), textAt(parsed, 'usage.currency')),
    user: readWhatsappUser(textAt(parsed, 'whatsapp.recipient.user_id')),
  });
}

/** A suggested reply of RCS is what it shows. */
function readInbound(carrier: string, fields: Fields, parsed: unknown): CallbackAnswer {
  const channel = fields.get('channel');
  const text = fields.get('text') ?? (channel === 'rcs' ? textAt(parsed, 'reply.title') : undefined);
  if (text === undefined) return NO_RECEIPT;
  if (channel === 'rcs') return heard(carrier, fields.get('from') ?? '', text);
  if (channel !== 'whatsapp') return NO_RECEIPT;
  return { kind: 'messages', messages: [{ carrier, ...readWhatsappSender(fields.get('from')), text }] };
}

/** The account decides whether receipts come as a query, a form or JSON. */
function readFields({ method, url, body }: Callback): Fields {
  const text = body.toString();
  if (method === 'GET') return new Map(new URL(url).searchParams);
  // The first character tells them apart, whatever the body is labelled as: a form escapes it.
  if (!/^\ufeff?\s*\{/.test(text)) return new Map(new URLSearchParams(text));
  const parsed = parseAnswer(text);
  if (typeof parsed !== 'object' || parsed === null) return new Map();
  const scalars = Object.entries(parsed).filter(([, value]) => typeof value !== 'object');
  return new Map(scalars.map(([name, value]) => [name, String(value)]));
}
