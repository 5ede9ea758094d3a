import Type from 'typebox';
import { carrierOptions, group, secret } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback, smsSender } from '../gateway/options.ts';

const sms = group('Sends SMS.', {
  from: smsSender,
  servicePlanId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Id of the service plan.' }),
  apiToken: secret({ description: 'API token of the service plan.' }),
  webhookSecret: Type.Optional(
    secret({
      description:
        'Secret that callbacks are signed with, as agreed with Sinch for the service plan. Without it no receipts are requested.',
    }),
  ),
  url: apiUrl({
    default: 'https://us.sms.api.sinch.com',
    description: 'Address of the SMS API in the region of the service plan.',
  }),
});

const voice = group('Makes calls. Sinch reports their outcome only to the address of the application.', {
  from: caller('Caller ID of calls.'),
  applicationKey: Type.String({
    pattern: '^[A-Za-z0-9-]{1,64}$',
    description: 'Key of the Voice application.',
  }),
  applicationSecret: secret({ description: 'Secret of the Voice application.' }),
  englishFallback,
  url: apiUrl({ default: 'https://calling.api.sinch.com', description: 'Address of the Voice API.' }),
});

export const sinchOptions = carrierOptions(
  'sinch',
  'Sinch SMS REST API, and text-to-speech calls of its Voice API.',
  {
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
    connections,
  },
);

export type SinchOptions = Type.StaticDecode<typeof sinchOptions>;
