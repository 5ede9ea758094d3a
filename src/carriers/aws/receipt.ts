/** Events of messages and calls, and what people send back to two-way numbers and RCS agents, published to an SNS topic that this service subscribes to. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { mobileNetworkOf, priceOf } from '../gateway/stated-price.ts';
import { SUBSCRIPTIONS } from '../rcs.ts';
import type { FetchText } from './certificates.ts';
import { addressAtSns, createOpener, type Envelope } from './notification.ts';

const FINAL = {
  delivered: ['TEXT_DELIVERED', 'VOICE_COMPLETED', 'RCS_DELIVERED', 'RCS_READ'],
  undelivered: [
    'TEXT_INVALID',
    'TEXT_INVALID_MESSAGE',
    'TEXT_UNREACHABLE',
    'TEXT_CARRIER_UNREACHABLE',
    'TEXT_BLOCKED',
    'TEXT_CARRIER_BLOCKED',
    'TEXT_SPAM',
    'TEXT_TTL_EXPIRED',
    'TEXT_PROTECT_BLOCKED',
    'VOICE_BUSY',
    'VOICE_NO_ANSWER',
    'VOICE_FAILED',
    'VOICE_TTL_EXPIRED',
    'RCS_FAILED',
    'RCS_UNDELIVERABLE',
    'RCS_REJECTED',
    'RCS_TTL_EXPIRED',
    'RCS_PROTECT_BLOCKED',
  ],
};

export function createCallbackReader(clock: Clock, carrier: string, topicArn: string, fetch: FetchText) {
  const open = createOpener(clock, topicArn, fetch);

  /** Only for our own topic, and at SNS itself. Anyone else could make us call an address of theirs. */
  async function subscribe(envelope: Envelope): Promise<CallbackAnswer> {
    const address = addressAtSns(topicArn, envelope.get('SubscribeURL'), /^\/$/);
    if (address === undefined || address.searchParams.get('Action') !== 'ConfirmSubscription') {
      return { kind: 'malformed', detail: 'needs a SubscribeURL at SNS' };
    }
    try {
      await fetch(address);
      return NO_RECEIPT;
    } catch {
      return { kind: 'unavailable' };
    }
  }

  return async ({ body }: Callback): Promise<CallbackAnswer> => {
    const opened = await open(body);
    if (opened.kind !== 'genuine') return { kind: opened.kind };
    const { envelope } = opened;
    if (envelope.get('Type') === 'SubscriptionConfirmation') return subscribe(envelope);
    if (envelope.get('Type') === 'UnsubscribeConfirmation') return NO_RECEIPT;
    return readEvent(carrier, envelope.get('Message') ?? '');
  };
}

function readEvent(carrier: string, message: string): CallbackAnswer {
  const event = parseAnswer(message);
  const from = textAt(event, 'originationNumber');
  const body = textAt(event, 'messageBody');
  if (from !== undefined && body !== undefined && textAt(event, 'inboundMessageId')) {
    const text = saidBy(body);
    return text === undefined ? NO_RECEIPT : heard(carrier, from, text);
  }
  const type = textAt(event, 'eventType');
  const id = textAt(event, 'messageId');
  if (type === undefined || !id)
    return { kind: 'malformed', detail: 'needs an event with eventType and messageId' };
  // The event of having been read costs nothing, whatever the message did.
  const costs = type !== 'RCS_READ';
  const meaning = meaningOf(type, event);
  return report(carrier, id, meaning, FINAL, meaning, {
    price: costs
      ? wholePrice(textAt(event, 'totalMessagePrice'), textAt(event, 'totalCarrierFee'))
      : undefined,
    network: mobileNetworkOf(textAt(event, 'mcc'), textAt(event, 'mnc')),
  });
}

/** The type of an event, or what its status says besides. */
function meaningOf(type: string, event: unknown): string {
  const status = textAt(event, 'messageStatus') ?? '';
  switch (type) {
    case 'TEXT_SUCCESSFUL':
      // In countries where telephones send no receipts, this is the last event of a message.
      return textAt(event, 'isFinal') === 'true' ? 'TEXT_DELIVERED' : type;
    case 'RCS_DELIVERED':
      // It may be that of a message that was rejected, too, or is still on its way.
      return `RCS_${status}`;
    case 'RCS_TTL_EXPIRED':
      // Where it could not be taken back, it may have arrived.
      return status === 'TTL_EXPIRATION_REVOKE_FAILED' ? status : type;
    default:
      return type;
  }
}

/** The app of RCS tells by JSON in place of a text what somebody taps; what it tells besides, such as that they type, is no message. */
function saidBy(body: string): string | undefined {
  const event = body.startsWith('{') ? parseAnswer(body) : undefined;
  const type = textAt(event, 'type');
  if (type === undefined) return body;
  return type === 'SUGGESTION' ? textAt(event, 'text') : SUBSCRIPTIONS.get(type);
}

/** What AWS charges, and what it passes on of the network. Both are of all parts, and in US dollars. */
function wholePrice(figure: string | undefined, fee: string | undefined) {
  const [price, extra] = [priceOf(figure, 'USD'), priceOf(fee, 'USD')];
  return price && extra && { ...price, amount: price.amount + extra.amount };
}
