/** Vonage: its SMS API, its Voice API with a call's instructions in the request, and the callbacks of both. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { SMS_ERRORS, VOICE_ERRORS } from './errors.ts';
import type { VonageOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker } from './request.ts';
import { VOICES } from './voices.ts';

/** @throws Error that names the wrong option */
export function createVonageCarrier(name: string, options: VonageOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, signature, connections } = options;
  const callbackUrl = signature && ports.callbackUrl;
  const asked = callbackUrl !== undefined;
  return createGatewayCarrier(ports, {
    name,
    connections,
    lines: {
      sms: sms && {
        origin: new URL(sms.url),
        request: createMessageMaker(options, sms, callbackUrl),
        judge: judgeMessage(asked),
      },
      voice: voice && {
        origin: new URL(voice.url),
        judge: judgeCall(asked),
        ...speak(
          withChosen(VOICES, voice.voices, String),
          voice.englishFallback,
          createCallMaker(voice, callbackUrl),
        ),
      },
    },
    readCallback: signature && asked ? createCallbackReader(name, signature) : undefined,
  });
}

/** The SMS API answers 200 even to failures. A text in parts is one message to us, identified by its first part. */
function judgeMessage(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    const status = textAt(body, 'messages.0.status');
    if (!isSuccess(answer) || status !== '0') return judgeError(SMS_ERRORS, status, answer, now);
    return accept(textAt(body, 'messages.0.message-id'), receiptFollows, 'the answer holds no message-id');
  };
}

function judgeCall(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    if (isSuccess(answer)) return accept(textAt(body, 'uuid'), receiptFollows, 'the answer holds no uuid');
    const [type] =
      textAt(body, 'type')
        ?.toLowerCase()
        .match(/[^#/]*$/) ?? [];
    return judgeError(VOICE_ERRORS, type, answer, now);
  };
}
