/** Telnyx: its Messaging API with signed webhooks, and calls whose TeXML stands in the request. */
import type { Carrier, CarrierPorts } from '../../core/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { speak } from '../gateway/speech.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { TELNYX_ERRORS } from './errors.ts';
import type { TelnyxOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createTelnyxCarrier(name: string, options: TelnyxOptions, ports: CarrierPorts): Carrier {
  const { apiKey, publicKey, sms, voice, connections } = options;
  const callbackUrl = publicKey && ports.callbackUrl;
  const origin = new URL(options.url);
  return createGatewayCarrier(
    {
      name,
      connections,
      lines: {
        ...(sms && {
          sms: {
            origin,
            request: createMessageMaker(apiKey, sms, callbackUrl),
            judge: judgeMessage(callbackUrl !== undefined),
          },
        }),
        ...(voice && {
          voice: {
            origin,
            judge: judgeCall,
            ...speak(VOICES, voice.englishFallback, createCallMaker(apiKey, voice)),
          },
        }),
      },
      readCallback: publicKey && callbackUrl ? createCallbackReader(name, publicKey) : undefined,
    },
    ports,
  );
}

function judgeMessage(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
    if (!isSuccess(answer)) return judgeError(TELNYX_ERRORS, textAt(body, 'errors.0.code'), answer, now);
    return accept(textAt(body, 'data.id'), receiptFollows, 'the answer holds no data.id');
  };
}

/** The documented answer names no id of the call. */
const judgeCall: Judge = (answer, now) => {
  if (isSuccess(answer)) return { outcome: { kind: 'accepted' } };
  const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
  return judgeError(TELNYX_ERRORS, textAt(body, 'errors.0.code'), answer, now);
};
