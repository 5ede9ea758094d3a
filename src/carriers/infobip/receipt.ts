/** Delivery reports of messages and calls. */
import type { Callback, CallbackAnswer, Receipt } from '../../core/carrier.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import type { CallbackUrls } from './callback-url.ts';

export function createCallbackReader(carrier: string, urls: CallbackUrls) {
  return (callback: Callback): CallbackAnswer => {
    const id = urls.idOf(callback.url);
    const body = parseAnswer(callback.body.toString());
    // The address proves no more than the one message that it was made for.
    if (id === undefined || textAt(body, 'results.0.messageId') !== id) return { kind: 'forged' };
    const group = textAt(body, 'results.0.status.groupName');
    if (group === undefined) return { kind: 'malformed', detail: 'needs results with a status' };
    const report = readGroup(group, body);
    return {
      kind: 'receipts',
      receipts: report === undefined ? [] : [{ carrier, references: [id], ...report }],
    };
  };
}

function readGroup(group: string, body: unknown): Pick<Receipt, 'status' | 'reason'> | undefined {
  switch (group) {
    case 'DELIVERED':
      return { status: 'delivered' };
    case 'UNDELIVERABLE':
    case 'EXPIRED':
    case 'REJECTED': {
      const error = textAt(body, 'results.0.error.name');
      const named =
        error === undefined || error === 'NO_ERROR' ? textAt(body, 'results.0.status.name') : error;
      return { status: 'undelivered', reason: /^\w{1,60}$/.test(named ?? '') ? String(named) : group };
    }
    default:
      return undefined;
  }
}
