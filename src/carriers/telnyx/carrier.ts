/** Telnyx: its Messaging API with signed webhooks, and calls with their TeXML in the request. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { speak } from '../gateway/speech.ts';
import { isSuccess } from '../gateway/verdict.ts';
import { TELNYX_ERRORS } from './errors.ts';
import type { TelnyxOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createTelnyxCarrier(name: string, options: TelnyxOptions, ports: CarrierPorts): Carrier {
  const { apiKey, publicKey, sms, voice, connections } = options;
  const callbackUrl = publicKey && ports.callbackUrl;
  const origin = new URL(options.url);
  const judge = judgeJson({
    errors: TELNYX_ERRORS,
    error: 'errors.0.code',
    reference: 'data.id',
    receiptFollows: callbackUrl !== undefined,
  });
  return createGatewayCarrier(ports, {
    name,
    connections,
    lines: {
      sms: sms && { origin, judge, request: createMessageMaker(apiKey, sms, callbackUrl) },
      voice: voice && {
        origin,
        // The documented answer holds no id of the call.
        judge: (answer, now) => (isSuccess(answer) ? { outcome: { kind: 'accepted' } } : judge(answer, now)),
        ...speak(VOICES, voice.englishFallback, createCallMaker(apiKey, voice)),
      },
    },
    readCallback: publicKey && callbackUrl ? createCallbackReader(name, publicKey) : undefined,
  });
}
