/** A batch of one message, a callout that reads out a text, and a message over RCS. */
import type { Clock } from '../../core/seams/clock.ts';
import { basic } from '../gateway/basic.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { dial } from '../gateway/dialling.ts';
import { postJson } from '../gateway/request.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import { timeLeft } from '../time-left.ts';
import type { SinchOptions } from './options.ts';

/** Sinch's own bound for `expire_at`. */
const MAX_VALIDITY_MS = 3 * 86_400_000;
/** Of an RCS message, in s. Sinch's own least is 3; these are the bounds of Google, which has most networks' RCS. */
const RCS_LIFE_S = [10, 1_296_000] as const;
/** The longest text that a callout reads. */
const MAX_SPOKEN = 600;

export function createMessageMaker(
  clock: Clock,
  sms: Senders & Pick<NonNullable<SinchOptions['sms']>, 'servicePlanId' | 'apiToken'>,
  callbackUrl: string | undefined,
): MakeRequest {
  const { servicePlanId, apiToken } = sms;
  const fromOf = senderOf(sms);
  return ({ destination, text, expiresAt }) =>
    postJson(`Bearer ${apiToken}`, `/xms/v1/${servicePlanId}/batches`, {
      from: fromOf(destination.country),
      to: [destination.address],
      body: text.toWellFormed(),
      // A date is by this machine's clock, as the carrier's is.
      expire_at: new Date(clock.wall() + Math.min(timeLeft(clock, expiresAt), MAX_VALIDITY_MS)).toISOString(),
      ...(callbackUrl && { delivery_report: 'per_recipient_final', callback_url: callbackUrl }),
    });
}

type Voice = Omit<NonNullable<SinchOptions['voice']>, 'englishFallback'>;

export function createCallMaker(voice: Voice): MakeCall<string> {
  const { applicationKey, applicationSecret } = voice;
  const callerOf = senderOf(voice);
  const credentials = basic(applicationKey, applicationSecret);
  return ({ destination, text }, locale) => {
    const dialled = dial(destination);
    if ('sip' in dialled) return { kind: 'permanent', reason: 'cannot dial a sip address' };
    if (text.length > MAX_SPOKEN)
      return { kind: 'permanent', reason: `text longer than ${MAX_SPOKEN} characters` };
    const { number, extension } = dialled;
    return postJson(credentials, '/calling/v1/callouts', {
      method: 'ttsCallout',
      ttsCallout: {
        cli: callerOf(destination.country),
        destination: { type: 'number', endpoint: number },
        domain: 'pstn',
        locale,
        text: text.toWellFormed(),
        // Each `w` waits half a second before the extension is dialled.
        ...(extension !== undefined && { dtmf: `ww${extension}` }),
      },
    });
  };
}

export function createRcsMaker(clock: Clock, rcs: NonNullable<SinchOptions['rcs']>): MakeRequest {
  const appOf = senderOf(rcs);
  const path = `/v1/projects/${rcs.projectId}/messages:send`;
  return ({ destination, text, ...times }, token = '') =>
    postJson(`Bearer ${token}`, path, {
      app_id: appOf(destination.country),
      recipient: {
        identified_by: { channel_identities: [{ channel: 'RCS', identity: destination.address }] },
      },
      // An app may have other channels, and would go on by them. That is what the route is for.
      channel_priority_order: ['RCS'],
      // Sinch keeps no contact of the person, whatever the app does with other messages.
      processing_strategy: 'DISPATCH_ONLY',
      message: { text_message: { text: text.toWellFormed() } },
      ttl: `${lifeOf(times, clock, RCS_LIFE_S)}s`,
    });
}
