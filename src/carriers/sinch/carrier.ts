/** Sinch: its SMS REST API with signed delivery reports, and text-to-speech callouts of its Voice API. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { SMS_ERRORS, VOICE_ERRORS } from './errors.ts';
import type { SinchOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createSinchCarrier(name: string, options: SinchOptions, ports: CarrierPorts): Carrier {
  const { sms, voice } = options;
  const secret = sms?.webhookSecret;
  const callbackUrl = secret && ports.callbackUrl;
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && {
        origin: new URL(sms.url),
        request: createMessageMaker(ports.clock, sms, callbackUrl),
        judge: judgeJson({
          errors: SMS_ERRORS,
          error: 'code',
          reference: 'id',
          receiptFollows: callbackUrl !== undefined,
        }),
      },
      voice: voice && {
        origin: new URL(voice.url),
        judge: judgeJson({
          errors: VOICE_ERRORS,
          error: 'errorCode',
          reference: 'callId',
          receiptFollows: false,
        }),
        ...speak(withChosen(VOICES, voice.voices, String), voice.englishFallback, createCallMaker(voice)),
      },
    },
    readCallback: secret && callbackUrl ? createCallbackReader(ports.clock, name, secret) : undefined,
  });
}
