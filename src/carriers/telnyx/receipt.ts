/** Webhooks of messages, signed with Ed25519 over the time and the body, and of calls, each to an address of its own. */
import { createPublicKey, verify } from 'node:crypto';
import type { Clock } from '../../core/seams/clock.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import type { CallbackUrls } from '../callback-url.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { header, isFresh } from '../gateway/signature.ts';
import { priceOf } from '../gateway/stated-price.ts';

const TOLERANCE_S = 300;
/** Networks without receipts leave a message unconfirmed, which says nothing either way. */
const FINAL = {
  delivered: ['delivered', 'read'],
  undelivered: ['sending_failed', 'delivery_failed', 'expired'],
};

/** TeXML's names for how a call ended. */
const CALLS = { delivered: ['completed'], undelivered: ['busy', 'no-answer', 'failed', 'canceled'] };

/** What callbacks are checked by. Without one of the two, those that need it are not asked for. */
interface Proofs {
  readonly publicKey: string | undefined;
  readonly urls: CallbackUrls | undefined;
}

export function createCallbackReader(clock: Clock, carrier: string, { publicKey, urls }: Proofs) {
  const readMessage = publicKey === undefined ? undefined : createMessageReader(clock, carrier, publicKey);
  return (callback: Callback): CallbackAnswer => {
    const call = urls?.idOf(callback.url);
    if (call !== undefined) return readCall(carrier, call, callback);
    return readMessage?.(callback) ?? { kind: 'forged' };
  };
}

/** RCS has a body, in which a suggested reply is what it shows. */
const inboundText = (event: unknown): string | undefined =>
  textAt(event, 'data.payload.text') ??
  textAt(event, 'data.payload.body.text') ??
  textAt(event, 'data.payload.body.suggestion_response.text');

/** The address proves only the one call that it was made for, whatever the body says about itself. */
function readCall(carrier: string, id: string, { body }: Callback): CallbackAnswer {
  const status = new URLSearchParams(body.toString()).get('CallStatus');
  if (!status) return { kind: 'malformed', detail: 'needs CallStatus' };
  return report(carrier, id, status, CALLS);
}

function createMessageReader({ wall }: Clock, carrier: string, publicKey: string) {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

  function isSigned(callback: Callback): boolean {
    const timestamp = header(callback, 'telnyx-timestamp');
    const signature = Buffer.from(header(callback, 'telnyx-signature-ed25519') ?? '', 'base64');
    if (!isFresh(timestamp, TOLERANCE_S, wall()) || signature.length !== 64) return false;
    return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), callback.body]), key, signature);
  }

  return (callback: Callback): CallbackAnswer => {
    if (!isSigned(callback)) return { kind: 'forged' };
    const event = parseAnswer(callback.body.toString());
    const type = textAt(event, 'data.event_type');
    const id = textAt(event, 'data.payload.id');
    if (type === undefined || !id)
      return { kind: 'malformed', detail: 'needs data.event_type and data.payload.id' };
    if (type === 'message.received') {
      const from = textAt(event, 'data.payload.from.phone_number') ?? '';
      return heard(carrier, from, inboundText(event) ?? '');
    }
    if (type !== 'message.finalized' && type !== 'message.read') return NO_RECEIPT;
    const status = textAt(event, 'data.payload.to.0.status') ?? '';
    const cost = (field: string) => textAt(event, `data.payload.cost.${field}`);
    return report(carrier, id, status, FINAL, textAt(event, 'data.payload.errors.0.code'), {
      price: priceOf(cost('amount'), cost('currency')),
    });
  };
}
