import Type from 'typebox';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback } from '../gateway/options.ts';

export const twilioOptions = carrierOptions('twilio', 'Twilio Programmable Messaging and Voice.', {
  accountSid: text('SID of the account.', {
    pattern: '^AC[0-9a-f]{32}$',
    expected: 'an account SID: AC and 32 hexadecimal digits',
  }),
  authToken: secret('Auth token of the account; Twilio signs its callbacks with it.'),
  sms: Type.Optional(
    group('Sends SMS.', {
      from: text('Sender: a number, a short code, a name, or the SID of a messaging service (`MG...`).', {
        pattern: '^(MG[0-9a-f]{32}|\\+?[0-9]{3,15}|[A-Za-z0-9 ._+&-]{1,11})$',
        expected:
          'a number such as "+12025550123", a short code, a name of up to 11 characters, or the SID of a messaging service',
      }),
    }),
  ),
  voice: Type.Optional(
    group('Makes calls.', {
      from: caller('Caller ID of calls: a Twilio number, or one verified there.'),
      englishFallback,
    }),
  ),
  url: apiUrl('Address of the API, if you use another region.', 'https://api.twilio.com'),
  connections,
});

export type TwilioOptions = Type.StaticDecode<typeof twilioOptions>;
