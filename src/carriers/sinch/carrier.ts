/**
 * Sinch: its SMS REST API with signed delivery reports, text-to-speech callouts of its Voice API, and RCS over its Conversation API, which
 * takes access tokens and has a webhook of its own.
 */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { askAsClient } from '../gateway/access-token.ts';
import { createGatewayCarrier, type GatewayLine } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { createMessageToken } from '../gateway/message-token.ts';
import { speak, withChosen } from '../gateway/voices/speech.ts';
import { CONVERSATION_ERRORS, SMS_ERRORS, VOICE_ERRORS } from './errors.ts';
import type { SinchOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createCallMaker, createMessageMaker, createRcsMaker } from './request.ts';
import { VOICES } from './voices.ts';

const TOKEN_PATH = '/oauth2/token';

export function createSinchCarrier(name: string, options: SinchOptions, ports: CarrierPorts): Carrier {
  const { sms, voice, rcs } = options;
  const { callbackUrl } = ports;
  const reports = {
    sms: callbackUrl === undefined ? undefined : sms?.webhookSecret,
    rcs: callbackUrl === undefined ? undefined : rcs?.webhookSecret,
  };
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && {
        origin: new URL(sms.url),
        request: createMessageMaker(ports.clock, sms, reports.sms && callbackUrl),
        judge: judgeJson({
          errors: SMS_ERRORS,
          error: 'code',
          reference: 'id',
          receiptFollows: reports.sms !== undefined,
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
      rcs: rcs && rcsLine(ports, rcs, reports.rcs !== undefined),
    },
    readCallback:
      reports.sms === undefined && reports.rcs === undefined
        ? undefined
        : createCallbackReader(ports.clock, name, reports, rcs),
  });
}

function rcsLine(
  { clock }: CarrierPorts,
  rcs: NonNullable<SinchOptions['rcs']>,
  receiptFollows: boolean,
): GatewayLine {
  const tokenOrigin = new URL(rcs.tokenUrl);
  const token = createMessageToken(clock, tokenOrigin, () =>
    askAsClient(TOKEN_PATH, { clientId: rcs.keyId, clientSecret: rcs.keySecret }),
  );
  return {
    origin: new URL(rcs.url),
    besides: tokenOrigin,
    permit: (_message, ask) => token.get(ask),
    forget: token.forget,
    request: createRcsMaker(clock, rcs),
    judge: judgeJson({
      errors: CONVERSATION_ERRORS,
      error: 'error.status',
      reference: 'message_id',
      receiptFollows,
    }),
  };
}
