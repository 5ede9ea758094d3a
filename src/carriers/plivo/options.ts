import Type from 'typebox';
import { carrierOptions, group, secret } from '../../options/fields.ts';
import { apiUrl, connections, smsSender } from '../gateway/options.ts';

export const plivoOptions = carrierOptions('plivo', 'Plivo Messaging.', {
  authId: Type.String({
    pattern: '^[A-Z0-9]{20}$',
    expected: '20 capitals and digits',
    description: 'Auth ID of the account.',
  }),
  authToken: secret({ description: 'Auth token of the account; Plivo signs its callbacks with it.' }),
  sms: Type.Optional(group('Sends SMS.', { from: smsSender })),
  url: apiUrl({ default: 'https://api.plivo.com', description: 'Address of the API.' }),
  connections,
});

export type PlivoOptions = Type.StaticDecode<typeof plivoOptions>;
