/** An SMS as a form that holds key and secret, a call as JSON with the application's token. */

import { countSegments, isGsm7 } from '../../core/message/segments.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { GatewayLine, MakeRequest } from '../gateway/carrier.ts';
import { type DialledNumber, dial } from '../gateway/dialling.ts';
import { postForm, postJson } from '../gateway/request.ts';
import { isSuccess } from '../gateway/verdict.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import { timeLeft } from '../time-left.ts';
import { createTemplateMaker } from '../whatsapp/template.ts';
import { readVoice } from './named-voices.ts';
import type { VonageOptions } from './options.ts';
import { createTokenMaker } from './token.ts';

/** Vonage's own bounds for `ttl`, in ms. */
const [MIN_TTL_MS, MAX_TTL_MS] = [20_000, 604_800_000];
/** Of an RCS message, in s. Vonage's documents name no least; this is short for what it recommends, and messages are taken back. */
const RCS_LIFE_S = [300, 259_200] as const;
/** The longest SIP address that the Voice API takes. */
const MAX_SIP = 50;

/** Vonage takes numbers without their plus. */
const digits = (number: string) => number.replace(/^\+/, '');

export function createMessageMaker(
  clock: Clock,
  { apiKey, apiSecret }: Pick<VonageOptions, 'apiKey' | 'apiSecret'>,
  senders: Senders,
  callbackUrl: string | undefined,
): MakeRequest {
  const fromOf = senderOf(senders, digits);
  return ({ destination, text, expiresAt, registration }) =>
    postForm('/sms/json', {
      api_key: apiKey,
      api_secret: apiSecret,
      from: fromOf(destination.country),
      to: digits(destination.address),
      text: text.toWellFormed(),
      type: isGsm7(text) ? 'text' : 'unicode',
      ttl: String(Math.min(Math.max(timeLeft(clock, expiresAt), MIN_TTL_MS), MAX_TTL_MS)),
      ...(registration && { 'entity-id': registration.entity, 'content-id': registration.template }),
      // A receipt repeats `client-ref`, and its price is that of one part.
      ...(callbackUrl && { callback: callbackUrl, 'client-ref': String(countSegments(text)) }),
    });
}

export function createCallMaker(
  clock: Clock,
  voice: Omit<NonNullable<VonageOptions['voice']>, 'englishFallback'>,
  callbackUrl: string | undefined,
): MakeCall<string> {
  const callerOf = senderOf(voice, digits);
  const makeToken = createTokenMaker(voice, 'voice');
  return ({ destination, text }, spokenBy) => {
    const dialled = dial(destination);
    if ('sip' in dialled && dialled.sip.length > MAX_SIP) {
      return { kind: 'permanent', reason: `SIP address longer than ${MAX_SIP} characters` };
    }
    const call = {
      to: ['sip' in dialled ? { type: 'sip', uri: dialled.sip } : telephone(dialled)],
      from: { type: 'phone', number: callerOf(destination.country) },
      // Silence at the end: hanging up at once would cut off the last digit.
      ncco: [
        { action: 'wait', timeout: 1 },
        { action: 'talk', text: text.toWellFormed(), ...readVoice(spokenBy) },
        { action: 'wait', timeout: 1 },
      ],
      ...(callbackUrl && { event_url: [callbackUrl], event_method: 'POST' }),
    };
    return postJson(`Bearer ${makeToken(clock.wall())}`, '/v1/calls', call);
  };
}

/** A template with a button goes as `custom`: Vonage hands it on to WhatsApp as it is. */
export function createTemplateRequestMaker(
  clock: Clock,
  whatsapp: NonNullable<VonageOptions['whatsapp']>,
  callbackUrl: string | undefined,
): MakeRequest {
  const makeToken = createTokenMaker(whatsapp, 'whatsapp');
  const templateOf = createTemplateMaker(whatsapp);
  return (message) =>
    postJson(`Bearer ${makeToken(clock.wall())}`, '/v1/messages', {
      from: digits(whatsapp.from),
      to: digits(message.destination.address),
      channel: 'whatsapp',
      message_type: 'custom',
      custom: { type: 'template', template: templateOf(message) },
      ...(callbackUrl && { webhook_url: callbackUrl, webhook_version: 'v1' }),
    });
}

export function createRcsMaker(
  clock: Clock,
  rcs: NonNullable<VonageOptions['rcs']>,
  callbackUrl: string | undefined,
): MakeRequest {
  const makeToken = createTokenMaker(rcs, 'rcs');
  const fromOf = senderOf(rcs);
  return ({ destination, text, expiresAt }) =>
    postJson(`Bearer ${makeToken(clock.wall())}`, '/v1/messages', {
      from: fromOf(destination.country),
      to: digits(destination.address),
      channel: 'rcs',
      message_type: 'text',
      text: text.toWellFormed(),
      // Until the code expires: it is taken back when the next channel goes, and is needed if that does not.
      ttl: lifeOf({ expiresAt }, clock, RCS_LIFE_S),
      // Some countries want it.
      rcs: { category: 'authentication' },
      ...(callbackUrl && { webhook_url: callbackUrl, webhook_version: 'v1' }),
    });
}

/** A success says that Vonage has asked the network, and not what came of it. */
export function createRcsRevoke(
  clock: Clock,
  rcs: NonNullable<VonageOptions['rcs']>,
): NonNullable<GatewayLine['revoke']> {
  const makeToken = createTokenMaker(rcs, 'rcs');
  const origin = new URL(rcs.revokeUrl);
  return async ({ reference }, ask) => {
    if (reference === null) return 'unknown';
    const path = `/v1/messages/${encodeURIComponent(reference)}`;
    const request = postJson(`Bearer ${makeToken(clock.wall())}`, path, { status: 'revoked' });
    const answer = await ask({ ...request, method: 'PATCH' }, origin);
    return !('kind' in answer) && isSuccess(answer) ? 'unless-arriving' : 'unknown';
  };
}

/** Each `p` waits half a second before the extension is dialled. */
function telephone({ number, extension }: DialledNumber) {
  return {
    type: 'phone',
    number: digits(number),
    ...(extension !== undefined && { dtmfAnswer: `pp${extension}` }),
  };
}
