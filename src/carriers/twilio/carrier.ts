/** Twilio: the Messages and Calls resources of its 2010 API, and their status callbacks. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { TWILIO_ERRORS } from './errors.ts';
import type { TwilioOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker, createRcsMaker, createWhatsappMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createTwilioCarrier(name: string, options: TwilioOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, whatsapp, rcs, authToken } = options;
  const { callbackUrl } = ports;
  const origin = new URL(options.url);
  const receiptFollows = callbackUrl !== undefined;
  const judge = judgeJson({ errors: TWILIO_ERRORS, error: 'code', reference: 'sid', receiptFollows });
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && { origin, judge, request: createMessageMaker(ports.clock, options, sms, callbackUrl) },
      whatsapp: whatsapp && {
        origin,
        judge,
        request: createWhatsappMaker(options, whatsapp, callbackUrl),
      },
      rcs: rcs && { origin, judge, request: createRcsMaker(ports.clock, options, rcs, callbackUrl) },
      voice: voice && {
        origin,
        judge,
        ...speak(
          withChosen(VOICES, voice.voices, (name) => ({ voice: name })),
          voice.englishFallback,
          createCallMaker(options, voice, callbackUrl),
        ),
      },
    },
    readCallback: receiptFollows ? createCallbackReader(name, authToken) : undefined,
  });
}
