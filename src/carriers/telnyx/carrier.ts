/** Telnyx: its Messaging API with signed webhooks, and calls with their TeXML in the request. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createCallbackUrls } from '../callback-url.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { TELNYX_ERRORS } from './errors.ts';
import type { TelnyxOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker, createRcsMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createTelnyxCarrier(name: string, options: TelnyxOptions, ports: CarrierPorts): Carrier {
  const { apiKey, publicKey, sms, rcs, voice } = options;
  const callbackUrl = publicKey && ports.callbackUrl;
  const urls = voice && ports.callbackUrl ? createCallbackUrls(ports.callbackUrl, apiKey) : undefined;
  const origin = new URL(options.url);
  const judge = judgeJson({
    errors: TELNYX_ERRORS,
    error: 'errors.0.code',
    reference: 'data.id',
    receiptFollows: callbackUrl !== undefined,
  });
  /** The documented answer holds no id of the call. Its outcome comes under the id in the address that the call has. */
  const judgeCall: Judge = (answer, now, reference) => {
    if (!isSuccess(answer)) return judge(answer, now);
    if (reference === undefined) return { outcome: { kind: 'accepted' } };
    return accept(reference, true, 'the call has no reference');
  };
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && { origin, judge, request: createMessageMaker(apiKey, sms, callbackUrl) },
      rcs: rcs && { origin, judge, request: createRcsMaker(ports.clock, apiKey, rcs, callbackUrl) },
      voice: voice && {
        origin,
        judge: judgeCall,
        ...speak(
          withChosen(VOICES, voice.voices, (name) => ({ voice: name })),
          voice.englishFallback,
          createCallMaker(ports.random, apiKey, voice, urls),
        ),
      },
    },
    readCallback:
      callbackUrl || urls ? createCallbackReader(ports.clock, name, { publicKey, urls }) : undefined,
  });
}
