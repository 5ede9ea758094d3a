/** Twilio: the Messages and the Calls resource of its API of 2010, and their status callbacks. */
import type { Carrier, CarrierPorts } from '../../core/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { speak } from '../gateway/speech.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { TWILIO_ERRORS } from './errors.ts';
import type { TwilioOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

export function createTwilioCarrier(name: string, options: TwilioOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, authToken, connections } = options;
  const { callbackUrl } = ports;
  const origin = new URL(options.url);
  const judge = createJudge(callbackUrl !== undefined);
  return createGatewayCarrier(
    {
      name,
      connections,
      lines: {
        ...(sms && { sms: { origin, judge, request: createMessageMaker(options, sms.from, callbackUrl) } }),
        ...(voice && {
          voice: {
            origin,
            judge,
            ...speak(VOICES, voice.englishFallback, createCallMaker(options, voice.from, callbackUrl)),
          },
        }),
      },
      readCallback: callbackUrl === undefined ? undefined : createCallbackReader(name, authToken),
    },
    ports,
  );
}

function createJudge(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
    if (!isSuccess(answer)) return judgeError(TWILIO_ERRORS, textAt(body, 'code'), answer, now);
    return accept(textAt(body, 'sid'), receiptFollows, 'the answer holds no sid');
  };
}
