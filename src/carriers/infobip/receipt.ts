/** Delivery reports of messages and calls, each to an address of its own, and what people send back. */
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import type { CallbackUrls } from '../callback-url.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { report } from '../gateway/report.ts';
import { mobileNetworkOf, priceOf } from '../gateway/stated-price.ts';
import type { InboundReader } from './inbound.ts';

const FINAL = { delivered: ['DELIVERED'], undelivered: ['UNDELIVERABLE', 'EXPIRED', 'REJECTED'] };

export function createCallbackReader(
  carrier: string,
  urls: CallbackUrls,
  inbound: InboundReader | undefined,
) {
  return (callback: Callback): CallbackAnswer => {
    if (inbound?.isForwarded(callback)) return inbound.read(callback);
    const id = urls.idOf(callback.url);
    const body = parseAnswer(callback.body.toString());
    // The address proves only the one message that it was made for.
    if (id === undefined || textAt(body, 'results.0.messageId') !== id) return { kind: 'forged' };
    const group = textAt(body, 'results.0.status.groupName');
    if (group === undefined) return { kind: 'malformed', detail: 'needs results with a status' };
    const error = textAt(body, 'results.0.error.name');
    const name = error === undefined || error === 'NO_ERROR' ? textAt(body, 'results.0.status.name') : error;
    const reason = name !== undefined && /^\w{1,60}$/.test(name) ? name : group;
    const field = (name: string) => textAt(body, `results.0.${name}`);
    return report(carrier, id, group, FINAL, reason, {
      price: priceOf(field('price.pricePerMessage'), field('price.currency'), field('messageCount') ?? null),
      network: mobileNetworkOf(field('mccMnc')),
    });
  };
}
