/** Infobip: its SMS API, its Voice Message API, its WhatsApp API and its RCS API. All take many messages per request and get one. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import { createCallbackUrls } from '../callback-url.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import { speak } from '../gateway/voices/speech.ts';
import { INFOBIP_ERRORS } from './errors.ts';
import { createInboundReader } from './inbound.ts';
import type { InfobipOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import {
  createCallMaker,
  createMessageMaker,
  createRcsMaker,
  createTemplateRequestMaker,
} from './request.ts';
import { VOICES } from './voices.ts';

export function createInfobipCarrier(name: string, options: InfobipOptions, ports: CarrierPorts): Carrier {
  const { apiKey, webhookPassword, sms, voice, whatsapp, rcs } = options;
  const origin = new URL(options.url);
  const urls = ports.callbackUrl === undefined ? undefined : createCallbackUrls(ports.callbackUrl, apiKey);
  const inbound = webhookPassword === undefined ? undefined : createInboundReader(name, webhookPassword);
  const judge = createJudge(urls !== undefined);
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && { origin, judge, request: createMessageMaker(ports, apiKey, sms, urls) },
      whatsapp: whatsapp && {
        origin,
        judge,
        request: createTemplateRequestMaker(ports, apiKey, whatsapp, urls),
      },
      rcs: rcs && { origin, judge, request: createRcsMaker(ports, apiKey, rcs, urls) },
      voice: voice && {
        origin,
        judge,
        ...speak(VOICES, voice.englishFallback, createCallMaker(ports, apiKey, voice, urls)),
      },
    },
    readCallback: urls && createCallbackReader(name, urls, inbound),
  });
}

/** An HTTP success says that the request was understood; the status of the message says whether it was accepted. */
function createJudge(receiptFollows: boolean): Judge {
  return (answer, now) => {
    const body = parseAnswer(answer.body);
    const group = textAt(body, 'messages.0.status.groupName');
    if (isSuccess(answer) && (group === 'PENDING' || group === 'DELIVERED')) {
      return accept(textAt(body, 'messages.0.messageId'), receiptFollows, 'the answer holds no messageId');
    }
    return judgeError(INFOBIP_ERRORS, textAt(body, 'messages.0.status.name'), answer, now);
  };
}
