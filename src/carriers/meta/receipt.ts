/** The webhook of a WhatsApp app: its handshake, statuses of messages, and what people send back. */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer, InboundMessage, StatedPrice } from '../../core/sending/carrier.ts';
import { listAt, parseAnswer, textAt } from '../gateway/json-answer.ts';
import { report } from '../gateway/report.ts';
import { header } from '../gateway/signature.ts';
import { readWhatsappSender, readWhatsappUser } from '../whatsapp/sender.ts';

interface Webhook {
  readonly appSecret: string;
  readonly verifyToken: string;
}

const FINAL = { delivered: ['delivered', 'read'], undelivered: ['failed'] };

/** Meta says whether it charges, not how much. Nothing is the same in every currency. */
const FREE: StatedPrice = { amount: 0, currency: 'USD' };

/** What is sent back as plain text; Meta's own are digits. */
const CHALLENGE = /^[\w.-]{1,256}$/;

/**
 * One webhook serves all numbers of an app, so those of other numbers are passed over. Meta signs no time, so a replay looks like
 * the original. The store takes each receipt once.
 */
export function createCallbackReader(carrier: string, phoneNumberId: string, webhook: Webhook) {
  return (callback: Callback): CallbackAnswer => {
    if (callback.method === 'GET') return shakeHands(callback, webhook.verifyToken);
    if (!isSigned(callback, webhook.appSecret)) return { kind: 'forged' };
    const body = parseAnswer(callback.body.toString());
    const entries = listAt(body, 'entry');
    if (entries === undefined) return { kind: 'malformed', detail: 'needs a list of entries' };
    const values = entries
      .flatMap((entry) => listAt(entry, 'changes') ?? [])
      .filter((change) => textAt(change, 'value.metadata.phone_number_id') === phoneNumberId);
    const statuses = values.flatMap((change) => listAt(change, 'value.statuses') ?? []);
    const readable = statuses.filter((status) => textAt(status, 'id') && textAt(status, 'status'));
    const receipts = readable.flatMap((status) => {
      const answer = readStatus(carrier, status);
      return answer.kind === 'receipts' ? answer.receipts : [];
    });
    const unreadable = statuses.length - readable.length;
    const messages = values
      .flatMap((change) => listAt(change, 'value.messages') ?? [])
      .map((message) => readMessage(carrier, message));
    const isPlain = receipts.length === 0 && unreadable === 0;
    if (messages.length > 0 && isPlain) return { kind: 'messages', messages };
    return {
      kind: 'receipts',
      receipts,
      ...(messages.length > 0 && { messages }),
      ...(unreadable > 0 && { unreadable }),
    };
  };
}

function readMessage(carrier: string, message: unknown): InboundMessage {
  const text = textAt(message, 'text.body') ?? textAt(message, 'button.text') ?? '';
  const [from, user] = [textAt(message, 'from'), textAt(message, 'from_user_id')];
  return { carrier, ...readWhatsappSender(from, user ?? from), text };
}

function readStatus(carrier: string, status: unknown): CallbackAnswer {
  const code = textAt(status, 'errors.0.code');
  const word = textAt(status, 'status') ?? '';
  const reason = code === undefined ? word : `${word}, error ${code}`;
  return report(carrier, textAt(status, 'id') ?? '', word, FINAL, reason, {
    price: textAt(status, 'pricing.billable') === 'false' ? FREE : undefined,
    user: readWhatsappUser(textAt(status, 'recipient_user_id')),
  });
}

/** The token proves that the address was entered by somebody who knows it. */
function shakeHands({ url }: Callback, verifyToken: string): CallbackAnswer {
  const query = new URL(url).searchParams;
  const echo = query.get('hub.challenge') ?? '';
  const isOurs =
    query.get('hub.mode') === 'subscribe' && areEqual(query.get('hub.verify_token') ?? '', verifyToken);
  return isOurs && CHALLENGE.test(echo) ? { kind: 'challenge', echo } : { kind: 'forged' };
}

/** HMAC-SHA256 over the bytes of the body. */
function isSigned(callback: Callback, appSecret: string): boolean {
  const signature = header(callback, 'x-hub-signature-256');
  const mac = createHmac('sha256', appSecret).update(callback.body).digest('hex');
  return signature !== undefined && areEqual(signature, `sha256=${mac}`);
}
