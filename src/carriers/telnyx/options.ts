import Type from 'typebox';
import { secret } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback, smsSender } from '../gateway/options.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const sms = Type.Object(
  {
    from: Type.String({ ...smsSender, description: 'Sender: a number, a short code, or a name.' }),
    messagingProfileId: Type.Optional(
      Type.String({
        pattern: `^${UUID}$`,
        expected: 'a UUID',
        description: 'Id of the messaging profile; needed where the sender is a name.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Sends SMS.' },
);

const voice = Type.Object(
  {
    from: caller('Number that the call shows.'),
    accountId: Type.String({ pattern: `^${UUID}$`, expected: 'a UUID', description: 'Id of the account.' }),
    applicationId: Type.String({
      pattern: '^[0-9]{1,30}$',
      expected: 'the digits of the id',
      description: 'Id of the TeXML application that calls are made under.',
    }),
    englishFallback,
  },
  {
    additionalProperties: false,
    description: 'Makes calls. Telnyx reports no outcome that could be matched.',
  },
);

export const telnyxOptions = Type.Object(
  {
    type: Type.Literal('telnyx', { description: 'Telnyx Messaging, and calls by TeXML.' }),
    apiKey: secret({ description: 'API key (v2).' }),
    publicKey: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=$',
        expected: '32 bytes in base64',
        description:
          'Public key of the account, which callbacks are checked with. Without it no receipts are asked for.',
      }),
    ),
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
    url: apiUrl({ default: 'https://api.telnyx.com', description: 'Address of the API.' }),
    connections,
  },
  { additionalProperties: false },
);

export type TelnyxOptions = Type.StaticDecode<typeof telnyxOptions>;
