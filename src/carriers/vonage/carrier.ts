/** Vonage: its SMS API, its Voice API with a call's instructions in the request, WhatsApp and RCS over its Messages API, and their callbacks. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { type ErrorTable, judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { MESSAGES_ERRORS, SMS_ERRORS, VOICE_ERRORS } from './errors.ts';
import type { VonageOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import {
  createCallMaker,
  createMessageMaker,
  createRcsMaker,
  createRcsRevoke,
  createTemplateRequestMaker,
} from './request.ts';
import { VOICES } from './voices.ts';

/** @throws Error that names the wrong option */
export function createVonageCarrier(name: string, options: VonageOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, whatsapp, rcs, signature } = options;
  const { clock } = ports;
  const callbackUrl = signature && ports.callbackUrl;
  const asked = callbackUrl !== undefined;
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && {
        origin: new URL(sms.url),
        request: createMessageMaker(clock, options, sms, callbackUrl),
        judge: judgeMessage(asked),
      },
      whatsapp: whatsapp && {
        origin: new URL(whatsapp.url),
        request: createTemplateRequestMaker(clock, whatsapp, callbackUrl),
        judge: judgeProblem(MESSAGES_ERRORS, 'message_uuid', asked),
      },
      rcs: rcs && {
        origin: new URL(rcs.url),
        besides: new URL(rcs.revokeUrl),
        request: createRcsMaker(clock, rcs, callbackUrl),
        judge: judgeProblem(MESSAGES_ERRORS, 'message_uuid', asked),
        revoke: createRcsRevoke(clock, rcs),
      },
      voice: voice && {
        origin: new URL(voice.url),
        judge: judgeProblem(VOICE_ERRORS, 'uuid', asked),
        ...speak(
          withChosen(VOICES, voice.voices, String),
          voice.englishFallback,
          createCallMaker(clock, voice, callbackUrl),
        ),
      },
    },
    readCallback: signature && asked ? createCallbackReader(clock, name, signature) : undefined,
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

/** The APIs with problem details, whose `type` ends in the error. */
function judgeProblem(errors: ErrorTable, reference: string, receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    if (isSuccess(answer))
      return accept(textAt(body, reference), receiptFollows, `the answer holds no ${reference}`);
    const [type] =
      textAt(body, 'type')
        ?.toLowerCase()
        .match(/[^#/]*$/) ?? [];
    return judgeError(errors, type, answer, now);
  };
}
