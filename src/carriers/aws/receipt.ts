/** Events of messages and calls, and inbound messages of two-way numbers, published to an SNS topic that this service subscribes to. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { mobileNetworkOf, priceOf } from '../gateway/stated-price.ts';
import type { FetchText } from './certificates.ts';
import { addressAtSns, createOpener, type Envelope } from './notification.ts';

const FINAL = {
  delivered: ['TEXT_DELIVERED', 'VOICE_COMPLETED'],
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
  const text = textAt(event, 'messageBody');
  if (from !== undefined && text !== undefined && textAt(event, 'inboundMessageId')) {
    return heard(carrier, from, text);
  }
  const type = textAt(event, 'eventType');
  const id = textAt(event, 'messageId');
  if (type === undefined || !id)
    return { kind: 'malformed', detail: 'needs an event with eventType and messageId' };
  // In countries where telephones send no receipts, this is the last event of a message.
  const isLast = type === 'TEXT_SUCCESSFUL' && textAt(event, 'isFinal') === 'true';
  return report(carrier, id, isLast ? 'TEXT_DELIVERED' : type, FINAL, type, {
    price: wholePrice(textAt(event, 'totalMessagePrice'), textAt(event, 'totalCarrierFee')),
    network: mobileNetworkOf(textAt(event, 'mcc'), textAt(event, 'mnc')),
  });
}

/** What AWS charges, and what it passes on of the network. Both are of all parts, and in US dollars. */
function wholePrice(figure: string | undefined, fee: string | undefined) {
  const [price, extra] = [priceOf(figure, 'USD'), priceOf(fee, 'USD')];
  return price && extra && { ...price, amount: price.amount + extra.amount };
}
