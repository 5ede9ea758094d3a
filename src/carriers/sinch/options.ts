import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import {
  callerFrom,
  englishFallback,
  smsFrom,
  templatesInAccount,
  voicesByLanguage,
} from '../gateway/options.ts';

const sms = group('Sends SMS.', {
  ...smsFrom,
  servicePlanId: text('Id of the service plan.', { pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  apiToken: secret('API token of the service plan.'),
  webhookSecret: Type.Optional(
    secret(
      'Secret that callbacks are signed with, as agreed with Sinch for the service plan. Without it no receipts are requested.',
    ),
  ),
  templatesInAccount,
  url: apiUrl('Address of the SMS API in the region of the service plan.', 'https://us.sms.api.sinch.com'),
});

const voice = group('Makes calls. Sinch reports their outcome only to the address of the application.', {
  ...callerFrom('Caller ID of calls.'),
  applicationKey: text('Key of the Voice application.', { pattern: '^[A-Za-z0-9-]{1,64}$' }),
  applicationSecret: secret('Secret of the Voice application.'),
  voices: voicesByLanguage('Vicki'),
  englishFallback,
  url: apiUrl('Address of the Voice API.', 'https://calling.api.sinch.com'),
});

export const sinchOptions = carrierOptions(
  'sinch',
  'Sinch SMS REST API, and text-to-speech calls of its Voice API.',
  {
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
  },
);

export type SinchOptions = Type.StaticDecode<typeof sinchOptions>;
