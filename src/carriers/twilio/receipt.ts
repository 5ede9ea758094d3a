/** Status callbacks of messages and calls. */
import { createHash, createHmac } from 'node:crypto';
import type { Callback, CallbackAnswer, Receipt } from '../../core/carrier.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import { header } from '../gateway/signature.ts';

/** Twilio signs no time, so a recording cannot be told from the original; the store takes a receipt once. */
export function createCallbackReader(carrier: string, authToken: string) {
  return (callback: Callback): CallbackAnswer => {
    const fields = new URLSearchParams(callback.body.toString());
    if (!isSigned(callback, fields, authToken)) return { kind: 'forged' };
    const messageSid = fields.get('MessageSid');
    const callSid = fields.get('CallSid');
    const report = messageSid ? readMessage(fields) : readCall(fields);
    const sid = messageSid || callSid;
    if (!sid || report === undefined) {
      return { kind: 'malformed', detail: 'needs MessageSid and MessageStatus, or CallSid and CallStatus' };
    }
    return {
      kind: 'receipts',
      receipts: report === 'pending' ? [] : [{ carrier, references: [sid], ...report }],
    };
  };
}

type Report = Pick<Receipt, 'status' | 'reason'> | 'pending' | undefined;

function readMessage(fields: URLSearchParams): Report {
  switch (fields.get('MessageStatus')) {
    case null:
      return undefined;
    case 'delivered':
    case 'read':
      return { status: 'delivered' };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return {
        status: 'undelivered',
        reason: fields.get('ErrorCode') || String(fields.get('MessageStatus')),
      };
    default:
      return 'pending';
  }
}

function readCall(fields: URLSearchParams): Report {
  const status = fields.get('CallStatus');
  switch (status) {
    case null:
      return undefined;
    case 'completed':
      return { status: 'delivered' };
    case 'busy':
    case 'no-answer':
    case 'failed':
    case 'canceled': {
      const sip = fields.get('SipResponseCode');
      return { status: 'undelivered', reason: sip ? `${status}, SIP ${sip}` : status };
    }
    default:
      return 'pending';
  }
}

/**
 * HMAC-SHA1 over the address and, for a form, its fields sorted by name; other bodies are covered by a digest in the
 * address. Twilio is not consistent about a standard port in the address, so either spelling is its own.
 */
function isSigned(callback: Callback, fields: URLSearchParams, authToken: string): boolean {
  const signature = header(callback, 'x-twilio-signature');
  if (signature === undefined) return false;
  const digest = new URL(callback.url).searchParams.get('bodySHA256');
  if (digest !== null && !areEqual(digest, createHash('sha256').update(callback.body).digest('hex')))
    return false;
  const signed = digest === null ? joinFields(fields) : '';
  return spellings(callback.url).some((url) =>
    areEqual(
      signature,
      createHmac('sha1', authToken)
        .update(url + signed)
        .digest('base64'),
    ),
  );
}

function joinFields(fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort();
  const valuesOf = (name: string) => [...new Set(fields.getAll(name))].sort();
  return names.flatMap((name) => valuesOf(name).map((value) => name + value)).join('');
}

/** The address with its port and without. */
function spellings(url: string): string[] {
  const [, origin = '', port, rest = ''] = /^(https?:\/\/[^/:?]+)(:\d+)?(.*)$/.exec(url) ?? [];
  return [origin + rest, `${origin}${port ?? ':443'}${rest}`];
}
