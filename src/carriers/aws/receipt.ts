/** Events of messages and calls, published to an SNS topic that this service subscribes to. */
import type { Callback, CallbackAnswer, Receipt } from '../../core/carrier.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import type { FetchText } from './certificates.ts';
import { addressAtSns, createOpener, type Envelope } from './notification.ts';

export function createCallbackReader(carrier: string, topicArn: string, fetch: FetchText) {
  const open = createOpener(topicArn, fetch);

  /** Only for our own topic, and at SNS itself: whoever else asks would make us call an address of theirs. */
  async function subscribe(envelope: Envelope): Promise<CallbackAnswer> {
    const address = addressAtSns(topicArn, envelope.get('SubscribeURL'), /^\/$/);
    if (address === undefined || address.searchParams.get('Action') !== 'ConfirmSubscription') {
      return { kind: 'malformed', detail: 'needs a SubscribeURL of SNS' };
    }
    try {
      await fetch(address);
      return { kind: 'receipts', receipts: [] };
    } catch {
      return { kind: 'unavailable' };
    }
  }

  return async ({ body }: Callback): Promise<CallbackAnswer> => {
    const opened = await open(body);
    if (opened.kind !== 'genuine') return { kind: opened.kind };
    const { envelope } = opened;
    if (envelope.get('Type') === 'SubscriptionConfirmation') return subscribe(envelope);
    if (envelope.get('Type') === 'UnsubscribeConfirmation') return { kind: 'receipts', receipts: [] };
    return readEvent(carrier, envelope.get('Message') ?? '');
  };
}

function readEvent(carrier: string, message: string): CallbackAnswer {
  const event = parseAnswer(message);
  const type = textAt(event, 'eventType');
  const id = textAt(event, 'messageId');
  if (type === undefined || !id)
    return { kind: 'malformed', detail: 'needs an event with eventType and messageId' };
  const report = readType(type, textAt(event, 'isFinal') === 'true');
  return {
    kind: 'receipts',
    receipts: report === undefined ? [] : [{ carrier, references: [id], ...report }],
  };
}

function readType(type: string, isFinal: boolean): Pick<Receipt, 'status' | 'reason'> | undefined {
  switch (type) {
    case 'TEXT_DELIVERED':
    case 'VOICE_COMPLETED':
      return { status: 'delivered' };
    case 'TEXT_SUCCESSFUL':
      // In countries without receipts of telephones it is the last that is heard.
      return isFinal ? { status: 'delivered' } : undefined;
    case 'TEXT_INVALID':
    case 'TEXT_INVALID_MESSAGE':
    case 'TEXT_UNREACHABLE':
    case 'TEXT_CARRIER_UNREACHABLE':
    case 'TEXT_BLOCKED':
    case 'TEXT_CARRIER_BLOCKED':
    case 'TEXT_SPAM':
    case 'TEXT_TTL_EXPIRED':
    case 'TEXT_PROTECT_BLOCKED':
    case 'VOICE_BUSY':
    case 'VOICE_NO_ANSWER':
    case 'VOICE_FAILED':
    case 'VOICE_TTL_EXPIRED':
      return { status: 'undelivered', reason: type };
    default:
      return undefined;
  }
}
