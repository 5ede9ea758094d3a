/** Webhooks as Standard Webhooks signs them: https://www.standardwebhooks.com. */

import { type Bytes, decodeBase64, hmacKey } from './hmac.ts';
import type { Channel } from './wire.ts';

interface VerificationData {
  readonly id: string;
  readonly channel: Channel;
  /** Most of it hidden, unless the endpoint asks for whole numbers. Null if it can no longer be read. */
  readonly destination?: string | null;
  /** ISO 3166 alpha-2, or `ZZ`. */
  readonly country?: string | null;
  /** As the request gave it. */
  readonly metadata?: Readonly<Record<string, string>> | null;
  /** Whether it was asked for with a test key. */
  readonly test: boolean;
  /** RFC 3339. */
  readonly at?: string;
}

interface DeliveryData extends VerificationData {
  readonly carrier: string;
}

interface FailedDeliveryData extends VerificationData {
  /** Null if no carrier was asked. */
  readonly carrier: string | null;
  readonly reason?: string | null;
}

interface Event<Type extends string, Data> {
  readonly type: Type;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: Data;
}

export type WebhookEvent =
  | Event<'verification.requested', VerificationData>
  | Event<'verification.confirmed', VerificationData>
  | Event<'verification.expired', VerificationData>
  | Event<'verification.exhausted', VerificationData>
  | Event<'delivery.accepted', DeliveryData>
  | Event<'delivery.delivered', DeliveryData>
  | Event<'delivery.undelivered', FailedDeliveryData>
  | Event<'delivery.failed', FailedDeliveryData>;

/** The request is not a webhook of ours, or not a recent one: answer 400, and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: 'headers' | 'timestamp' | 'signature' | 'body';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface WebhookOptions {
  /** How far the timestamp may be from now, in seconds. 300 by default. */
  readonly tolerance?: number | undefined;
  /** The time, in milliseconds; for tests. */
  readonly now?: number | undefined;
}

/** The headers as a `Request` has them, or as Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a request, if one of the secrets has signed it. `body` must be the bytes as they came: JSON that was parsed
 * and written again is not what was signed.
 */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError(BAD_SECRET);
  const keys = await Promise.all(secrets.map(keyOf));
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => read(`webhook-${name}`));
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    throw new WebhookError('headers', 'webhook-id, webhook-timestamp and webhook-signature are needed');
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  // Written this way round, what is not a number is refused too.
  if (!(Math.abs(now / 1000 - seconds) <= tolerance))
    throw new WebhookError('timestamp', 'webhook-timestamp is too far from now');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookError('signature', 'no signature in webhook-signature is right');
  return parse(text);
}

/** One signature for each secret while secrets rotate; those of other versions are for others. */
async function isSigned(signed: Bytes, signatures: string, keys: readonly CryptoKey[]) {
  for (const entry of signatures.split(' ')) {
    const signature = entry.startsWith('v1,') ? decodeBase64(entry.slice(3)) : undefined;
    if (signature === undefined) continue;
    for (const key of keys) {
      // In constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

const BAD_SECRET = 'secret must be whsec_ and then base64, or a list of such';

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice(6)) : undefined;
  if (bytes === undefined || bytes.length === 0) throw new TypeError(BAD_SECRET);
  return hmacKey(bytes);
}

function parse(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text);
    if (typeof event.type === 'string' && typeof event.data === 'object' && event.data !== null) return event;
  } catch {
    // As if it were another JSON.
  }
  throw new WebhookError('body', 'the body is not an event');
}
