/** The two ways in which Vonage signs: a keyed digest among the fields (SMS), a token in the header (Voice). */
import { createHash, createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback } from '../../core/sending/carrier.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { header, isFresh } from '../gateway/signature.ts';
import type { VonageOptions } from './options.ts';

export type SignatureOptions = NonNullable<VonageOptions['signature']>;

const TOLERANCE_S = 300;

/** `sig` covers all other fields, sorted by name, with `&` and `=` in their values replaced. */
export function isSignedForm(
  fields: ReadonlyMap<string, string>,
  { secret, method }: SignatureOptions,
  now: number,
): boolean {
  const signature = fields.get('sig');
  if (signature === undefined || !isFresh(fields.get('timestamp'), TOLERANCE_S, now)) return false;
  const signed = [...fields]
    .filter(([name]) => name !== 'sig')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `&${name}=${value.replaceAll(/[&=]/g, '_')}`)
    .join('');
  return areEqual(signature.toLowerCase(), createHmac(method, secret).update(signed).digest('hex'));
}

/** A JWT signed with HS256; its `payload_hash` covers the body. Only this algorithm is ever tried. */
export function isSignedToken(callback: Callback, secret: string, now: number): boolean {
  const [, head = '', claims = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i.exec(header(callback, 'authorization') ?? '') ?? [];
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
  if (!areEqual(signature, expected)) return false;
  if (textAt(decode(head), 'alg') !== 'HS256') return false;
  const claimed = decode(claims);
  const hash = createHash('sha256').update(callback.body).digest('hex');
  return (
    isFresh(textAt(claimed, 'iat'), TOLERANCE_S, now) && areEqual(textAt(claimed, 'payload_hash') ?? '', hash)
  );
}

function decode(part: string): unknown {
  return parseAnswer(Buffer.from(part, 'base64url').toString());
}
