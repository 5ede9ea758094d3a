import Type from 'typebox';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import {
  apiUrl,
  callerFrom,
  englishFallback,
  fromOf,
  smsFrom,
  uuid,
  voicesByLanguage,
} from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';
import { templateFields, whatsappSender } from '../whatsapp/template.ts';

const sms = group('Sends SMS.', {
  ...smsFrom,
  url: apiUrl('Address of the SMS API.', 'https://rest.nexmo.com'),
});

const application = {
  applicationId: uuid('Id of the application whose key signs our requests.'),
  privateKey: secret('Private key of the application, PEM.', {
    pattern: '^-----BEGIN ',
    expected: 'a private key in PEM',
  }),
};

const voice = group('Makes calls.', {
  ...callerFrom('Caller ID of calls: a number linked to the application.'),
  ...application,
  url: apiUrl('Address of the Voice API.', 'https://api.nexmo.com'),
  voices: voicesByLanguage('de-DE/3'),
  englishFallback,
});

const whatsapp = group('Sends WhatsApp messages.', {
  from: whatsappSender('Number of the WhatsApp sender.'),
  ...templateFields,
  ...application,
  url: apiUrl('Address of the Messages API.', 'https://api.nexmo.com'),
});

const rcs = group('Sends RCS messages.', {
  ...fromOf(rcsAgent('Id of the RCS sender.')),
  ...application,
  url: apiUrl('Address of the Messages API.', 'https://api.nexmo.com'),
  revokeUrl: apiUrl(
    'Address where messages are taken back, in the region where the agent was launched: `https://api-us.nexmo.com` or `https://api-ap.nexmo.com`.',
    'https://api-eu.nexmo.com',
  ),
});

const signature = group('How Vonage signs its callbacks. Without it no receipts are requested.', {
  secret: secret('Signature secret of the account.'),
  method: Type.Enum(['sha256', 'sha512'], {
    default: 'sha256',
    description: 'Algorithm set in the account for signing SMS: SHA-256 HMAC or SHA-512 HMAC.',
  }),
});

export const vonageOptions = carrierOptions('vonage', 'Vonage SMS API, Voice API and Messages API.', {
  apiKey: text('API key of the account.', { pattern: '^[0-9a-z]{8}$', expected: '8 characters' }),
  apiSecret: secret('API secret of the account.'),
  sms: Type.Optional(sms),
  voice: Type.Optional(voice),
  whatsapp: Type.Optional(whatsapp),
  rcs: Type.Optional(rcs),
  signature: Type.Optional(signature),
});

export type VonageOptions = Type.StaticDecode<typeof vonageOptions>;
