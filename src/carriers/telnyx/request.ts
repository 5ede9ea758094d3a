/** Messages as JSON; calls as JSON with their TeXML in it. */
import type { MakeRequest } from '../gateway/carrier.ts';
import { plainNumber } from '../gateway/dialling.ts';
import { postJson } from '../gateway/request.ts';
import type { MakeCall } from '../gateway/speech.ts';
import { speakInXml } from '../gateway/xml.ts';
import type { TelnyxOptions } from './options.ts';
import type { TelnyxVoice } from './voices.ts';

export function createMessageMaker(
  apiKey: string,
  { from, messagingProfileId }: NonNullable<TelnyxOptions['sms']>,
  callbackUrl: string | undefined,
): MakeRequest {
  return ({ destination, text }) =>
    postJson(`Bearer ${apiKey}`, '/v2/messages', {
      from,
      to: destination.address,
      text: text.toWellFormed(),
      type: 'SMS',
      ...(messagingProfileId !== undefined && { messaging_profile_id: messagingProfileId }),
      // Otherwise the webhooks of the messaging profile would be called.
      use_profile_webhooks: false,
      ...(callbackUrl && { webhook_url: callbackUrl }),
    });
}

export function createCallMaker(
  apiKey: string,
  { from, accountId, applicationId }: Omit<NonNullable<TelnyxOptions['voice']>, 'englishFallback'>,
): MakeCall<TelnyxVoice> {
  return ({ destination, text }, voice) => {
    const number = plainNumber(destination);
    if (number === undefined)
      return { kind: 'permanent', reason: `cannot dial a ${destination.kind} address` };
    return postJson(`Bearer ${apiKey}`, `/v2/texml/Accounts/${accountId}/Calls`, {
      ApplicationSid: applicationId,
      To: number,
      From: from,
      Texml: speakInXml(voice, text),
    });
  };
}
