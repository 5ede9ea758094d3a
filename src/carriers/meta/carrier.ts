/** Meta: authentication templates over the Cloud API of WhatsApp, and the webhook of its app. */
import type { Carrier, CarrierPorts } from '../../core/sending/carrier.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { createGatewayCarrier } from '../gateway/carrier.ts';
import { judgeJson } from '../gateway/json-judge.ts';
import { postJson } from '../gateway/request.ts';
import { createTemplateMaker } from '../whatsapp/template.ts';
import { META_ERRORS } from './errors.ts';
import type { MetaOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';

/** Meta puts up to 3 MB of reports into one request, and sends the same one again if it is refused. */
const LARGEST_CALLBACK = 3 * 1_024 * 1_024;

export function createMetaCarrier(name: string, options: MetaOptions, ports: CarrierPorts): Carrier {
  const { webhook, phoneNumberId } = options;
  const read = webhook && ports.callbackUrl ? createCallbackReader(name, phoneNumberId, webhook) : undefined;
  return createGatewayCarrier(ports, {
    name,
    lines: {
      whatsapp: {
        origin: new URL(options.url),
        request: createMessageMaker(options),
        judge: judgeJson({
          errors: META_ERRORS,
          error: 'error.code',
          reference: 'messages.0.id',
          receiptFollows: read !== undefined,
        }),
      },
    },
    readCallback: read,
    largestCallback: LARGEST_CALLBACK,
    // Meta sends everything again that is answered otherwise.
    acknowledge: 200,
  });
}

function createMessageMaker(options: MetaOptions): MakeRequest {
  const { accessToken, apiVersion, phoneNumberId } = options;
  const templateOf = createTemplateMaker(options);
  return (message) =>
    postJson(`Bearer ${accessToken}`, `/${apiVersion}/${phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: message.destination.address,
      type: 'template',
      template: templateOf(message),
    });
}
