import Type from 'typebox';
import { secret } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback } from '../gateway/options.ts';

export const twilioOptions = Type.Object(
  {
    type: Type.Literal('twilio', { description: 'Twilio Programmable Messaging and Voice.' }),
    accountSid: Type.String({
      pattern: '^AC[0-9a-f]{32}$',
      expected: 'an account SID: AC and 32 hexadecimal digits',
      description: 'SID of the account.',
    }),
    authToken: secret({ description: 'Auth token of the account; Twilio signs its callbacks with it.' }),
    sms: Type.Optional(
      Type.Object(
        {
          from: Type.String({
            pattern: '^(MG[0-9a-f]{32}|\\+?[0-9]{3,15}|[A-Za-z0-9 ._+&-]{1,11})$',
            expected:
              'a number such as "+12025550123", a short code, a name of up to 11 characters, or the SID of a messaging service',
            description:
              'Sender: a number, a short code, a name, or the SID of a messaging service (`MG...`).',
          }),
        },
        { additionalProperties: false, description: 'Sends SMS.' },
      ),
    ),
    voice: Type.Optional(
      Type.Object(
        {
          from: caller('Number that the call shows: one of Twilio’s, or one verified there.'),
          englishFallback,
        },
        { additionalProperties: false, description: 'Makes calls.' },
      ),
    ),
    url: apiUrl({
      default: 'https://api.twilio.com',
      description: 'Address of the API, where it is that of another region.',
    }),
    connections,
  },
  { additionalProperties: false },
);

export type TwilioOptions = Type.StaticDecode<typeof twilioOptions>;
