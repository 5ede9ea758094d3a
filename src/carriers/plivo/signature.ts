/** The two signatures of Plivo's callbacks: HMAC-SHA256 with the auth token, over an address and a nonce. */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback } from '../../core/sending/carrier.ts';
import { header } from '../gateway/signature.ts';

/**
 * The third version covers the fields and is enforced wherever it is present. Callbacks of messages are documented with
 * the second, which covers only the address: anyone who has seen one callback could make up others.
 */
export function isSigned(callback: Callback, authToken: string): boolean {
  const third = header(callback, 'x-plivo-signature-v3');
  if (third !== undefined) {
    const nonce = header(callback, 'x-plivo-signature-v3-nonce');
    return nonce !== undefined && matches(third, authToken, `${signedByThird(callback)}.${nonce}`);
  }
  const second = header(callback, 'x-plivo-signature-v2');
  const nonce = header(callback, 'x-plivo-signature-v2-nonce');
  const [address = ''] = callback.url.split('?', 1);
  return second !== undefined && nonce !== undefined && matches(second, authToken, address + nonce);
}

/** An account with two valid tokens sends two signatures, separated by a comma. */
function matches(signatures: string, authToken: string, signed: string): boolean {
  const expected = createHmac('sha256', authToken).update(signed).digest('base64');
  return signatures.split(',').some((signature) => areEqual(signature.trim(), expected));
}

/** The address with its query sorted, then a dot if there is one, then the fields sorted. */
function signedByThird({ method, url, body }: Callback): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = sorted(searchParams)
    .map((pair) => pair.join('='))
    .join('&');
  const fields = method === 'POST' ? sorted(new URLSearchParams(body.toString())) : [];
  if (fields.length === 0) return origin + pathname + (query && `?${query}`);
  return `${origin}${pathname}?${query}${query && '.'}${fields.map((pair) => pair.join('')).join('')}`;
}

function sorted(params: URLSearchParams): [name: string, value: string][] {
  return [...params].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
}
