/** Message status callbacks, and inbound messages. */
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { report } from '../gateway/report.ts';
import { mobileNetworkOf, priceOf } from '../gateway/stated-price.ts';
import { isSigned } from './signature.ts';

const FINAL = { delivered: ['delivered'], undelivered: ['undelivered', 'failed'] };
/** All of its prices are in it. */
const CURRENCY = 'USD';

export function createCallbackReader(carrier: string, authToken: string) {
  return (callback: Callback): CallbackAnswer => {
    if (!isSigned(callback, authToken)) return { kind: 'forged' };
    const fields = new URLSearchParams(callback.body.toString());
    const uuid = fields.get('MessageUUID');
    const status = fields.get('Status');
    const [from, text] = [fields.get('From'), fields.get('Text')];
    if (status === null && from !== null && text !== null) return heard(carrier, from, text);
    if (!uuid || !status) return { kind: 'malformed', detail: 'needs MessageUUID and Status' };
    return report(carrier, uuid, status, FINAL, fields.get('ErrorCode') || status, {
      price: priceOf(fields.get('TotalAmount'), CURRENCY),
      network: mobileNetworkOf(fields.get('MCC'), fields.get('MNC')),
    });
  };
}
