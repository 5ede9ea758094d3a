import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import { smsFrom, templatesInAccount } from '../gateway/options.ts';

export const plivoOptions = carrierOptions('plivo', 'Plivo Messaging.', {
  authId: text('Auth ID of the account.', { pattern: '^[A-Z0-9]{20}$', expected: '20 capitals and digits' }),
  authToken: secret('Auth token of the account; Plivo signs its callbacks with it.'),
  sms: Type.Optional(group('Sends SMS.', { ...smsFrom, templatesInAccount })),
  url: apiUrl('Address of the API.', 'https://api.plivo.com'),
});

export type PlivoOptions = Type.StaticDecode<typeof plivoOptions>;
