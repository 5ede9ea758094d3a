/** Reports of what became of a code, signed with the token of the account. */
import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../../core/seams/clock.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { report } from '../gateway/report.ts';
import { header, isFresh } from '../gateway/signature.ts';

/** Telegram asks to look at the time of a report, and does not say how old one may be. */
const TOLERANCE_S = 300;
const FINAL = { delivered: ['delivered', 'read'], undelivered: ['expired', 'revoked'] };

export function createCallbackReader({ wall }: Clock, carrier: string, token: string) {
  const key = createHash('sha256').update(token).digest();
  return (callback: Callback): CallbackAnswer => {
    if (!isSigned(callback, key, wall())) return { kind: 'forged' };
    const body = parseAnswer(callback.body.toString());
    const request = textAt(body, 'request_id');
    if (!request) return { kind: 'malformed', detail: 'needs request_id' };
    return report(carrier, request, textAt(body, 'delivery_status.status') ?? '', FINAL);
  };
}

/** HMAC-SHA256 over the time, a line feed and the bytes of the body. */
function isSigned(callback: Callback, key: Buffer, now: number): boolean {
  const timestamp = header(callback, 'x-request-timestamp');
  const signature = header(callback, 'x-request-signature');
  const mac = createHmac('sha256', key).update(`${timestamp}\n`).update(callback.body).digest('hex');
  return isFresh(timestamp, TOLERANCE_S, now) && signature !== undefined && areEqual(signature, mac);
}
