/** Plivo: its Message API and the status callbacks. A call's instructions would have to be fetched from us: no voice. */
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../core/carrier.ts';
import { basic } from '../gateway/basic.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { postJson } from '../gateway/json-request.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import type { PlivoOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';

export function createPlivoCarrier(name: string, options: PlivoOptions, ports: CarrierPorts): Carrier {
  const { sms, authToken, connections } = options;
  const { callbackUrl } = ports;
  return createGatewayCarrier(
    {
      name,
      connections,
      lines: {
        sms: sms && {
          origin: new URL(options.url),
          request: createMessageMaker(options, sms.from, callbackUrl),
          // Plivo's refusals carry words and no number: the status is all there is.
          judge: judgeJson({
            errors: {},
            error: '',
            reference: 'message_uuid.0',
            receiptFollows: callbackUrl !== undefined,
          }),
        },
      },
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
