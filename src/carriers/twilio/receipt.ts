/** Status callbacks of messages and calls, and what people send back. */
import { createHash, createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { report } from '../gateway/report.ts';
import { header } from '../gateway/signature.ts';
import { readWhatsappSender } from '../whatsapp/sender.ts';

const MESSAGES = { delivered: ['delivered', 'read'], undelivered: ['undelivered', 'failed', 'canceled'] };
const CALLS = { delivered: ['completed'], undelivered: ['busy', 'no-answer', 'failed', 'canceled'] };

/** Twilio signs no time, so a replay looks like the original. The store takes each receipt once. */
export function createCallbackReader(carrier: string, authToken: string) {
  return (callback: Callback): CallbackAnswer => {
    const fields = new URLSearchParams(callback.body.toString());
    if (!isSigned(callback, fields, authToken)) return { kind: 'forged' };
    const inbound = readInbound(carrier, fields);
    if (inbound !== undefined) return inbound;
    const messageSid = fields.get('MessageSid');
    const sid = messageSid || fields.get('CallSid');
    const status = fields.get(messageSid ? 'MessageStatus' : 'CallStatus');
    if (!sid || status === null) {
      return { kind: 'malformed', detail: 'needs MessageSid and MessageStatus, or CallSid and CallStatus' };
    }
    if (messageSid) return report(carrier, sid, status, MESSAGES, fields.get('ErrorCode') || status);
    const sip = fields.get('SipResponseCode');
    return report(carrier, sid, status, CALLS, sip ? `${status}, SIP ${sip}` : status);
  };
}

/** Twilio's own opt-out handling knows more words than we do, and says what it understood. */
function readInbound(carrier: string, fields: URLSearchParams): CallbackAnswer | undefined {
  const [from, body] = [fields.get('From'), fields.get('Body')];
  if (from === null || body === null || fields.has('MessageStatus')) return undefined;
  const text = fields.get('OptOutType') || body;
  const [, channel, address = from] = /^(whatsapp|rcs):(.*)/.exec(from) ?? [];
  if (channel !== 'whatsapp') return heard(carrier, address, text);
  return { kind: 'messages', messages: [{ carrier, ...readWhatsappSender(address), text }] };
}

/**
 * HMAC-SHA1 over the address and, for a form, its fields sorted by name. A digest in the address covers other bodies.
 * Twilio writes a standard port in the address or leaves it out, so both spellings are valid.
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

/** The address with and without its port. */
function spellings(url: string): string[] {
  const [, origin = '', port, rest = ''] = /^(https?:\/\/[^/:?]+)(:\d+)?(.*)$/.exec(url) ?? [];
  return [origin + rest, `${origin}${port ?? ':443'}${rest}`];
}
