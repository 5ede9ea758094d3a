import Type from 'typebox';
import { secret } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback, smsSender } from '../gateway/options.ts';

export const infobipOptions = Type.Object(
  {
    type: Type.Literal('infobip', { description: 'Infobip SMS, and calls that read a text.' }),
    url: apiUrl({ description: 'Base URL of the account, such as `https://xxxxx.api.infobip.com`.' }),
    apiKey: secret({ description: 'API key with the scopes for sending.' }),
    sms: Type.Optional(
      Type.Object(
        { from: Type.String({ ...smsSender, description: 'Sender: a number, a short code, or a name.' }) },
        { additionalProperties: false, description: 'Sends SMS.' },
      ),
    ),
    voice: Type.Optional(
      Type.Object(
        { from: caller('Number that the call shows.'), englishFallback },
        { additionalProperties: false, description: 'Makes calls.' },
      ),
    ),
    connections,
  },
  { additionalProperties: false },
);

export type InfobipOptions = Type.StaticDecode<typeof infobipOptions>;
