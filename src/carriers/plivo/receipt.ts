/** Message status callbacks. */
import type { Callback, CallbackAnswer, Receipt } from '../../core/carrier.ts';
import { isSigned } from './signature.ts';

export function createCallbackReader(carrier: string, authToken: string) {
  return (callback: Callback): CallbackAnswer => {
    if (!isSigned(callback, authToken)) return { kind: 'forged' };
    const fields = new URLSearchParams(callback.body.toString());
    const uuid = fields.get('MessageUUID');
    const status = fields.get('Status');
    if (!uuid || !status) return { kind: 'malformed', detail: 'needs MessageUUID and Status' };
    const report = readStatus(status, fields.get('ErrorCode'));
    return {
      kind: 'receipts',
      receipts: report === undefined ? [] : [{ carrier, references: [uuid], ...report }],
    };
  };
}

function readStatus(status: string, error: string | null): Pick<Receipt, 'status' | 'reason'> | undefined {
  switch (status) {
    case 'delivered':
      return { status: 'delivered' };
    case 'undelivered':
    case 'failed':
      return { status: 'undelivered', reason: error || status };
    default:
      return undefined;
  }
}
