/** Plivo: its Message API and the status callbacks. A call's instructions would have to be fetched from us: no voice. */
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../core/carrier.ts';
import { basic } from '../gateway/basic.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { postJson } from '../gateway/json-request.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import { accept, isSuccess, type Judge } from '../gateway/verdict.ts';
import type { PlivoOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';

export function createPlivoCarrier(name: string, options: PlivoOptions, ports: CarrierPorts): Carrier {
  const { sms, authToken, connections } = options;
  const { callbackUrl } = ports;
  const line = sms && {
    origin: new URL(options.url),
    request: createMessageMaker(options, sms.from, callbackUrl),
    judge: createJudge(callbackUrl !== undefined),
  };
  return createGatewayCarrier(
    {
      name,
      connections,
      lines: { ...(line && { sms: line }) },
      readCallback: callbackUrl === undefined ? undefined : createCallbackReader(name, authToken),
    },
    ports,
  );
}

function createMessageMaker(
  { authId, authToken }: Pick<PlivoOptions, 'authId' | 'authToken'>,
  from: string,
  callbackUrl: string | undefined,
) {
  const credentials = basic(authId, authToken);
  return ({ destination, text }: OutgoingMessage): GatewayRequest =>
    postJson(credentials, `/v1/Account/${authId}/Message/`, {
      src: from,
      dst: destination.address,
      text: text.toWellFormed(),
      type: 'sms',
      ...(callbackUrl && { url: callbackUrl, method: 'POST' }),
    });
}

/** Plivo's refusals carry words and no number: the status is all there is. */
function createJudge(receiptFollows: boolean): Judge {
  return (answer, now) => {
    if (!isSuccess(answer)) return judgeError({}, undefined, answer, now);
    const body = answer.body === undefined ? undefined : parseAnswer(answer.body);
    return accept(textAt(body, 'message_uuid.0'), receiptFollows, 'the answer holds no message_uuid');
  };
}
