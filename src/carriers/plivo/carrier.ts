/** Plivo: its Message API and the status callbacks. No voice: Plivo would have to fetch a call's instructions from us. */
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../core/sending/carrier.ts';
import { basic } from '../gateway/basic.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { postJson } from '../gateway/request.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import type { PlivoOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';

export function createPlivoCarrier(name: string, options: PlivoOptions, ports: CarrierPorts): Carrier {
  const { sms, authToken } = options;
  const { callbackUrl } = ports;
  return createGatewayCarrier(ports, {
    name,
    lines: {
      sms: sms && {
        origin: new URL(options.url),
        request: createMessageMaker(options, sms, callbackUrl),
        // Plivo's refusals hold words and no error number, so only the status counts.
        judge: judgeJson({
          errors: {},
          error: '',
          reference: 'message_uuid.0',
          receiptFollows: callbackUrl !== undefined,
        }),
      },
    },
    readCallback: callbackUrl === undefined ? undefined : createCallbackReader(name, authToken),
  });
}

function createMessageMaker(
  { authId, authToken }: Pick<PlivoOptions, 'authId' | 'authToken'>,
  senders: Senders,
  callbackUrl: string | undefined,
) {
  const credentials = basic(authId, authToken);
  const fromOf = senderOf(senders);
  return ({ destination, text }: OutgoingMessage): GatewayRequest =>
    postJson(credentials, `/v1/Account/${authId}/Message/`, {
      src: fromOf(destination.country),
      dst: destination.address,
      text: text.toWellFormed(),
      type: 'sms',
      ...(callbackUrl && { url: callbackUrl, method: 'POST' }),
    });
}
