/** Sinch: its SMS REST API with signed delivery reports, and text-to-speech callouts of its Voice API. */
import type { Carrier, CarrierPorts } from '../../core/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { speak } from '../gateway/speech.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { SMS_ERRORS, VOICE_ERRORS } from './errors.ts';
import type { SinchOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createSinchCarrier(name: string, options: SinchOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, connections } = options;
  const secret = sms?.webhookSecret;
  const callbackUrl = secret && ports.callbackUrl;
  return createGatewayCarrier(
    {
      name,
      connections,
      lines: {
        ...(sms && {
          sms: {
            origin: new URL(sms.url),
            request: createMessageMaker(sms, callbackUrl),
            judge: judgeMessage(callbackUrl !== undefined),
          },
        }),
        ...(voice && {
          voice: {
            origin: new URL(voice.url),
            judge: judgeCall,
            ...speak(VOICES, voice.englishFallback, createCallMaker(voice)),
          },
        }),
      },
      readCallback: secret && callbackUrl ? createCallbackReader(name, secret) : undefined,
    },
    ports,
  );
}

function judgeMessage(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
    if (!isSuccess(answer)) return judgeError(SMS_ERRORS, textAt(body, 'code'), answer, now);
    return accept(textAt(body, 'id'), receiptFollows, 'the answer holds no id');
  };
}

const judgeCall: Judge = (answer, now) => {
  const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
  if (!isSuccess(answer)) return judgeError(VOICE_ERRORS, textAt(body, 'errorCode'), answer, now);
  return accept(textAt(body, 'callId'), false, 'the answer holds no callId');
};
