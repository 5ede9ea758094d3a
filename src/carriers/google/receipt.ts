/** The webhook of an agent: its handshake, events of messages, and what people send back. */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heard } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { NO_RECEIPT, report } from '../gateway/report.ts';
import { header } from '../gateway/signature.ts';
import { SUBSCRIPTIONS } from '../rcs.ts';
import type { Senders } from '../sender-of.ts';

/** A revocation at the end of its life that failed says nothing: the message may have arrived. */
const FINAL = { delivered: ['DELIVERED', 'READ'], undelivered: ['TTL_EXPIRATION_REVOKED'] };

/** What is sent back as plain text; Google's own are digits. */
const CHALLENGE = /^[\w.-]{1,256}$/;

/**
 * One webhook may serve all agents of an account, so events of other agents are passed over. Google signs no time, so a replay looks like
 * the original. The store takes each receipt once.
 */
export function createCallbackReader(carrier: string, { from, senders = {} }: Senders, clientToken: string) {
  const agents = new Set([from, ...Object.values(senders)]);
  return (callback: Callback): CallbackAnswer => {
    const body = parseAnswer(callback.body.toString());
    const secret = textAt(body, 'secret');
    if (secret !== undefined) return shakeHands(textAt(body, 'clientToken'), secret, clientToken);
    const data = Buffer.from(textAt(body, 'message.data') ?? '', 'base64');
    if (!isSigned(callback, data, clientToken)) return { kind: 'forged' };
    const event = parseAnswer(data.toString());
    const agent = textAt(event, 'agentId');
    if (agent === undefined) return { kind: 'malformed', detail: 'needs agentId in message.data' };
    return agents.has(agent) ? readEvent(carrier, event) : NO_RECEIPT;
  };
}

function readEvent(carrier: string, event: unknown): CallbackAnswer {
  const type = textAt(event, 'eventType');
  const from = textAt(event, 'senderPhoneNumber') ?? '';
  if (type === undefined) {
    // A suggestion was tapped, if not by ours, by another message of the agent.
    const text = textAt(event, 'text') ?? textAt(event, 'suggestionResponse.text');
    return text === undefined ? NO_RECEIPT : heard(carrier, from, text);
  }
  const keyword = SUBSCRIPTIONS.get(type);
  if (keyword !== undefined) return heard(carrier, from, keyword);
  const id = textAt(event, 'messageId');
  return id === undefined ? NO_RECEIPT : report(carrier, id, type, FINAL);
}

/** The token proves that the address was entered by somebody who knows it. */
function shakeHands(given: string | undefined, secret: string, clientToken: string): CallbackAnswer {
  const isOurs = given !== undefined && areEqual(given, clientToken);
  return isOurs && CHALLENGE.test(secret) ? { kind: 'challenge', echo: secret } : { kind: 'forged' };
}

/** HMAC-SHA512 over what the message carries, and not over the body around it. */
function isSigned(callback: Callback, data: Buffer, clientToken: string): boolean {
  const signature = header(callback, 'x-goog-signature');
  const mac = createHmac('sha512', clientToken).update(data).digest('base64');
  return signature !== undefined && data.length > 0 && areEqual(signature, mac);
}
