import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import {
  callerFrom,
  englishFallback,
  fromOf,
  smsFrom,
  templatesInAccount,
  voicesByLanguage,
} from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';

const sms = group('Sends SMS.', {
  ...smsFrom,
  servicePlanId: text('Id of the service plan.', {
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    expected: 'an id of letters, digits, - and _',
  }),
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
  applicationKey: text('Key of the Voice application.', {
    pattern: '^[A-Za-z0-9-]{1,64}$',
    expected: 'an id of letters, digits and -',
  }),
  applicationSecret: secret('Secret of the Voice application.'),
  voices: voicesByLanguage('Vicki'),
  englishFallback,
  url: apiUrl('Address of the Voice API.', 'https://calling.api.sinch.com'),
});

const rcs = group('Sends RCS messages over the Conversation API.', {
  ...fromOf(rcsAgent('Id of the app of the Conversation API that the RCS agent belongs to.')),
  projectId: text('Id of the project.', {
    pattern: '^[A-Za-z0-9-]{1,64}$',
    expected: 'an id of letters, digits and -',
  }),
  keyId: text('Id of an access key of the project.', {
    pattern: '^[A-Za-z0-9-]{1,64}$',
    expected: 'an id of letters, digits and -',
  }),
  keySecret: secret('Secret of the access key.'),
  webhookSecret: Type.Optional(
    secret(
      "Secret of the app's webhook, which signs what it is told with it. Without it no receipts are read.",
    ),
  ),
  url: apiUrl(
    'Address of the Conversation API in the region of the app.',
    'https://us.conversation.api.sinch.com',
  ),
  tokenUrl: apiUrl('Address that gives access tokens.', 'https://auth.sinch.com'),
});

export const sinchOptions = carrierOptions(
  'sinch',
  'Sinch SMS REST API, text-to-speech calls of its Voice API, and RCS over its Conversation API.',
  {
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
    rcs: Type.Optional(rcs),
  },
);

export type SinchOptions = Type.StaticDecode<typeof sinchOptions>;
