import Type from 'typebox';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import {
  apiUrl,
  callerFrom,
  englishFallback,
  fromOf,
  smsFrom,
  templatesInAccount,
  uuid,
  voicesByLanguage,
} from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';

const sms = group('Sends SMS.', {
  ...smsFrom,
  messagingProfileId: Type.Optional(uuid('Id of the messaging profile. Needed if the sender is a name.')),
  templatesInAccount,
});

const voice = group('Makes calls.', {
  ...callerFrom('Caller ID of calls.'),
  accountId: uuid('Id of the account.'),
  applicationId: text('Id of the TeXML application that makes the calls.', {
    pattern: '^[0-9]{1,30}$',
    expected: 'the digits of the id',
  }),
  voices: voicesByLanguage('Azure.de-DE-KatjaNeural'),
  englishFallback,
});

const rcs = group('Sends RCS messages.', {
  ...fromOf(rcsAgent('Id of the RCS agent.')),
  messagingProfileId: uuid('Id of the messaging profile of the agent.'),
});

export const telnyxOptions = carrierOptions('telnyx', 'Telnyx Messaging, and calls with TeXML.', {
  apiKey: secret('API key (v2).'),
  publicKey: Type.Optional(
    text(
      'Public key of the account, for checking the signature of callbacks about SMS and RCS. Without it no receipts of these are requested.',
      { pattern: '^[A-Za-z0-9+/]{43}=$', expected: '32 bytes in base64' },
    ),
  ),
  sms: Type.Optional(sms),
  rcs: Type.Optional(rcs),
  voice: Type.Optional(voice),
  url: apiUrl('Address of the API.', 'https://api.telnyx.com'),
});

export type TelnyxOptions = Type.StaticDecode<typeof telnyxOptions>;
