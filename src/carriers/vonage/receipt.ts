/** Delivery receipts of the SMS API and events of the Voice API. */
import type { Callback, CallbackAnswer, Receipt } from '../../core/carrier.ts';
import { parseAnswer } from '../gateway/json-answer.ts';
import { isSignedForm, isSignedToken, type SignatureOptions } from './signature.ts';

export function createCallbackReader(carrier: string, signature: SignatureOptions) {
  return (callback: Callback): CallbackAnswer => {
    const fields = readFields(callback);
    const now = Date.now();
    const genuine =
      callback.headers.authorization === undefined
        ? isSignedForm(fields, signature, now)
        : isSignedToken(callback, signature.secret, now);
    if (!genuine) return { kind: 'forged' };
    const call = fields.get('uuid');
    const reference = call ?? fields.get('messageId');
    const report = (call === undefined ? MESSAGES : CALLS)(fields);
    if (!reference || report === undefined) {
      return { kind: 'malformed', detail: 'needs messageId or uuid, and status' };
    }
    return {
      kind: 'receipts',
      receipts: report === 'pending' ? [] : [{ carrier, references: [reference], ...report }],
    };
  };
}

type Fields = ReadonlyMap<string, string>;
type Report = Pick<Receipt, 'status' | 'reason'> | 'pending' | undefined;

const MESSAGES = (fields: Fields): Report => {
  const status = fields.get('status');
  switch (status) {
    case undefined:
      return undefined;
    case 'delivered':
      return { status: 'delivered' };
    case 'expired':
    case 'failed':
    case 'rejected':
      return { status: 'undelivered', reason: `${status}, error ${fields.get('err-code') ?? 'unknown'}` };
    default:
      return 'pending';
  }
};

const CALLS = (fields: Fields): Report => {
  const status = fields.get('status');
  switch (status) {
    case undefined:
      return undefined;
    case 'completed':
      return { status: 'delivered' };
    case 'busy':
    case 'cancelled':
    case 'failed':
    case 'rejected':
    case 'timeout':
    case 'unanswered':
      return { status: 'undelivered', reason: status };
    default:
      return 'pending';
  }
};

/** The account decides whether receipts come as a query, a form or JSON. */
function readFields({ method, url, headers, body }: Callback): Fields {
  const text = body.toString();
  if (method === 'GET') return new Map(new URL(url).searchParams);
  if (!String(headers['content-type']).startsWith('application/json'))
    return new Map(new URLSearchParams(text));
  const parsed = parseAnswer(text);
  if (typeof parsed !== 'object' || parsed === null) return new Map();
  const scalars = Object.entries(parsed).filter(([, value]) => typeof value !== 'object');
  return new Map(scalars.map(([name, value]) => [name, String(value)]));
}
