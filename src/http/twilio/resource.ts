/** A verification as Twilio shows it. */
import type { FastifyRequest } from 'fastify';
import type { Channel } from '../../core/destination/channel.ts';
import { originOfHost } from '../origin.ts';
import { accountSidOf } from './credentials.ts';

export interface Shown {
  readonly id: string;
  /** Canonical; of a number with an extension only the number is shown. */
  readonly destination: string;
  readonly channel: Channel;
  readonly status: 'pending' | 'approved' | 'canceled';
  /** Unix ms. */
  readonly updatedAt: number;
}

export interface SentResource {
  readonly channel: Channel;
  /** Unix ms. */
  readonly at: number;
}

const OUR_ID = /^ver_([0-9a-f]{32})$/;
/** `SM` of its message. */
const SID = /^(?:VE|SM)([0-9a-f]{32})$/i;

/** Our id of a SID; undefined if it is none. */
export function idOfSid(sid: string): string | undefined {
  const hex = SID.exec(sid)?.[1];
  return hex && `ver_${hex.toLowerCase()}`;
}

function hexOf(id: string): string {
  return OUR_ID.exec(id)?.[1] ?? '';
}

/** Ids begin with the time at which they were made. */
const madeAt = (id: string): number => Number.parseInt(hexOf(id).slice(0, 12), 16);

/** To the second: Twilio's library for Python reads nothing finer. */
const instant = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Calls are `call` to Twilio; every other channel has one name. */
const nameOf = (channel: Channel): string => (channel === 'voice' ? 'call' : channel);

/** Of a masked number, too. */
const numberOf = (destination: string): string => /\+[\d•]+/.exec(destination)?.[0] ?? destination;

interface OfService {
  readonly service: string;
}

/** What an answer to a check and the verification itself have in common. */
export function showCheck(request: FastifyRequest, shown: Shown) {
  const { id, destination, channel, status, updatedAt } = shown;
  return {
    sid: `VE${hexOf(id)}`,
    service_sid: serviceOf(request),
    account_sid: accountSidOf(request),
    to: numberOf(destination),
    channel: nameOf(channel),
    status,
    valid: status === 'approved',
    amount: null,
    payee: null,
    sna_attempts_error_codes: [],
    date_created: instant(madeAt(id)),
    date_updated: instant(updatedAt),
  };
}

/** Without an attempt yet, the message that is being sent is one. */
export function showVerification(request: FastifyRequest, shown: Shown, sent: readonly SentResource[]) {
  const { sna_attempts_error_codes: _, ...common } = showCheck(request, shown);
  const attempts = sent.length > 0 ? sent : [{ channel: shown.channel, at: madeAt(shown.id) }];
  const path = `/twilio/v2/Services/${serviceOf(request)}/Verifications/VE${hexOf(shown.id)}`;
  return {
    ...common,
    lookup: {},
    send_code_attempts: attempts.map(({ channel, at }, number) => ({
      attempt_sid: attemptSid(shown.id, number),
      channel: nameOf(channel).toUpperCase(),
      time: instant(at),
    })),
    sna: null,
    url: `${originOfHost(request.host)}${path}`,
  };
}

/** Times as Twilio's first API writes them (RFC 2822). */
export function showFeedback(request: FastifyRequest, id: string, outcome: string, now: number) {
  const [account, message] = [accountSidOf(request), `SM${hexOf(id)}`];
  return {
    ...{ account_sid: account, message_sid: message, outcome },
    date_created: longInstant(madeAt(id)),
    date_updated: longInstant(now),
    uri: `/2010-04-01/Accounts/${account}/Messages/${message}/Feedback.json`,
  };
}

const longInstant = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000');

/** Attempts have no id of their own. */
function attemptSid(id: string, number: number): string {
  return `VL${hexOf(id).slice(0, 30)}${number.toString(16).padStart(2, '0')}`;
}

function serviceOf({ params }: FastifyRequest): string {
  return (params as OfService).service;
}
