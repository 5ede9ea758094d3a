/** Messages as JSON; calls as JSON with their TeXML in it. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import type { CallbackUrls } from '../callback-url.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { dialledDigits } from '../gateway/dialling.ts';
import { postJson } from '../gateway/request.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { speakInXml } from '../gateway/xml.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import type { TelnyxOptions } from './options.ts';
import type { TelnyxVoice } from './voices.ts';

/** Of an RCS message, in s. Telnyx names no bounds; these are those of Google, which it hands `ttl` on to. */
const RCS_LIFE_S = [10, 1_296_000] as const;

export function createMessageMaker(
  apiKey: string,
  sms: Senders & Pick<NonNullable<TelnyxOptions['sms']>, 'messagingProfileId'>,
  callbackUrl: string | undefined,
): MakeRequest {
  const { messagingProfileId } = sms;
  const fromOf = senderOf(sms);
  return ({ destination, text }) =>
    postJson(`Bearer ${apiKey}`, '/v2/messages', {
      from: fromOf(destination.country),
      to: destination.address,
      text: text.toWellFormed(),
      type: 'SMS',
      ...(messagingProfileId !== undefined && { messaging_profile_id: messagingProfileId }),
      // Otherwise the webhooks of the messaging profile would be called.
      use_profile_webhooks: false,
      ...(callbackUrl && { webhook_url: callbackUrl }),
    });
}

/** Without a fallback of Telnyx's own: that is what the route is for. */
export function createRcsMaker(
  clock: Clock,
  apiKey: string,
  rcs: NonNullable<TelnyxOptions['rcs']>,
  callbackUrl: string | undefined,
): MakeRequest {
  const agentOf = senderOf(rcs);
  return ({ destination, text, ...times }) =>
    postJson(`Bearer ${apiKey}`, '/v2/messages/rcs', {
      agent_id: agentOf(destination.country),
      to: destination.address,
      messaging_profile_id: rcs.messagingProfileId,
      type: 'RCS',
      agent_message: {
        content_message: { text: text.toWellFormed() },
        ttl: `${lifeOf(times, clock, RCS_LIFE_S)}s`,
      },
      ...(callbackUrl && { webhook_url: callbackUrl }),
    });
}

export function createCallMaker(
  random: Random,
  apiKey: string,
  voiceOptions: Omit<NonNullable<TelnyxOptions['voice']>, 'englishFallback'>,
  urls: CallbackUrls | undefined,
): MakeCall<TelnyxVoice> {
  const { accountId, applicationId } = voiceOptions;
  const callerOf = senderOf(voiceOptions);
  return ({ destination, text }, voice) => {
    const number = dialledDigits(destination);
    if (number === undefined)
      return { kind: 'permanent', reason: `cannot dial a ${destination.kind} address` };
    const call = {
      ApplicationSid: applicationId,
      To: number,
      From: callerOf(destination.country),
      Texml: speakInXml(voice, text),
    };
    const path = `/v2/texml/Accounts/${accountId}/Calls`;
    if (urls === undefined) return postJson(`Bearer ${apiKey}`, path, call);
    const reference = random.uuid();
    const callback = {
      StatusCallback: urls.urlOf(reference),
      StatusCallbackMethod: 'POST',
      StatusCallbackEvent: 'completed',
    };
    return { ...postJson(`Bearer ${apiKey}`, path, { ...call, ...callback }), reference };
  };
}
