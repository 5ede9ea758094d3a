import Type from 'typebox';
import { secret } from '../../options/fields.ts';
import { apiUrl, connections, smsSender } from '../gateway/options.ts';

export const plivoOptions = Type.Object(
  {
    type: Type.Literal('plivo', { description: 'Plivo Messaging.' }),
    authId: Type.String({
      pattern: '^[A-Z0-9]{20}$',
      expected: '20 capitals and digits',
      description: 'Auth ID of the account.',
    }),
    authToken: secret({ description: 'Auth token of the account; Plivo signs its callbacks with it.' }),
    sms: Type.Optional(
      Type.Object(
        { from: Type.String({ ...smsSender, description: 'Sender: a number, a short code, or a name.' }) },
        { additionalProperties: false, description: 'Sends SMS.' },
      ),
    ),
    url: apiUrl({ default: 'https://api.plivo.com', description: 'Address of the API.' }),
    connections,
  },
  { additionalProperties: false },
);

export type PlivoOptions = Type.StaticDecode<typeof plivoOptions>;
