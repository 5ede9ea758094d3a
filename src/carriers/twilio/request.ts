/** Messages and calls for Twilio's API: forms, with the account as user. */

import { findWritten } from '../../core/message/language-range.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { basic } from '../gateway/basic.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { type DialledNumber, dial } from '../gateway/dialling.ts';
import { postForm } from '../gateway/request.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { speakInXml } from '../gateway/xml.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import { timeLeft } from '../time-left.ts';
import type { TwilioOptions } from './options.ts';
import type { TwilioVoice } from './voices.ts';

type Account = Pick<TwilioOptions, 'accountSid' | 'authToken'>;

/** Twilio's own bounds for `ValidityPeriod`, in s. */
const MAX_VALIDITY_S = 36_000;

export function createMessageMaker(
  clock: Clock,
  account: Account,
  senders: Senders,
  callbackUrl: string | undefined,
): MakeRequest {
  const fieldOf = senderOf(senders, (sender) => ({ [nameField(sender)]: sender }));
  const post = createPoster(account, 'Messages');
  return ({ destination, text, expiresAt }) => {
    const left = Math.floor(timeLeft(clock, expiresAt) / 1_000);
    return post({
      To: destination.address,
      ...fieldOf(destination.country),
      Body: text.toWellFormed(),
      ValidityPeriod: String(Math.min(Math.max(left, 1), MAX_VALIDITY_S)),
      ...(callbackUrl && { StatusCallback: callbackUrl }),
    });
  };
}

export function createCallMaker(
  account: Account,
  senders: Senders,
  callbackUrl: string | undefined,
): MakeCall<TwilioVoice> {
  const callerOf = senderOf(senders);
  const post = createPoster(account, 'Calls');
  return ({ destination, text }, voice) => {
    const dialled = dial(destination);
    return post({
      ...('sip' in dialled ? { To: dialled.sip } : dialTo(dialled)),
      From: callerOf(destination.country),
      Twiml: speakInXml(voice, text),
      ...(callbackUrl && { StatusCallback: callbackUrl }),
    });
  };
}

/**
 * The prefix of the recipient keeps Twilio from sending an SMS where RCS does not reach, also if a messaging service could: that is what
 * the route is for.
 */
export function createRcsMaker(
  clock: Clock,
  account: Account,
  senders: Senders,
  callbackUrl: string | undefined,
): MakeRequest {
  const fieldOf = senderOf(senders, (sender) => {
    const field = nameField(sender);
    return { [field]: field === 'From' ? `rcs:${sender}` : sender };
  });
  const post = createPoster(account, 'Messages');
  return ({ destination, text, ...times }) =>
    post({
      To: `rcs:${destination.address}`,
      ...fieldOf(destination.country),
      Body: text.toWellFormed(),
      ValidityPeriod: String(lifeOf(times, clock, [1, MAX_VALIDITY_S])),
      ...(callbackUrl && { StatusCallback: callbackUrl }),
    });
}

/** The words are in the content that Meta has approved; its one variable is the code. */
export function createWhatsappMaker(
  account: Account,
  { from, contentSid, contents }: NonNullable<TwilioOptions['whatsapp']>,
  callbackUrl: string | undefined,
): MakeRequest {
  const post = createPoster(account, 'Messages');
  return ({ destination, code, locale }) => {
    const language = findWritten(locale, Object.keys(contents)) ?? '';
    return post({
      To: `whatsapp:${destination.address}`,
      From: `whatsapp:${from}`,
      ContentSid: contents[language] ?? contentSid,
      ContentVariables: JSON.stringify({ 1: code }),
      ...(callbackUrl && { StatusCallback: callbackUrl }),
    });
  };
}

function nameField(sender: string): 'MessagingServiceSid' | 'From' {
  return sender.startsWith('MG') && sender.length === 34 ? 'MessagingServiceSid' : 'From';
}

/** Each `w` waits half a second before the extension is dialled. */
function dialTo({ number, extension }: DialledNumber): Record<string, string> {
  return extension === undefined ? { To: number } : { To: number, SendDigits: `ww${extension}` };
}

function createPoster({ accountSid, authToken }: Account, resource: string) {
  const authorization = basic(accountSid, authToken);
  const path = `/2010-04-01/Accounts/${accountSid}/${resource}.json`;
  return (fields: Record<string, string>) => postForm(path, fields, { authorization });
}
