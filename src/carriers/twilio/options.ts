import Type from 'typebox';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import { senderText } from '../../options/senders.ts';
import {
  apiUrl,
  callerFrom,
  englishFallback,
  fromOf,
  templatesInAccount,
  voicesByLanguage,
} from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';
import { whatsappSender } from '../whatsapp/template.ts';

const sender = senderText(
  'Sender: a number, a short code, a name, or the SID of a messaging service (`MG...`).',
  'usual',
  ['MG[0-9a-f]{32}', 'the SID of a messaging service'],
);

function contentSid(description: string) {
  return text(description, {
    pattern: '^HX[0-9a-f]{32}$',
    expected: 'a content SID: HX and 32 hexadecimal digits',
  });
}

export const twilioOptions = carrierOptions('twilio', 'Twilio Programmable Messaging and Voice.', {
  accountSid: text('SID of the account.', {
    pattern: '^AC[0-9a-f]{32}$',
    expected: 'an account SID: AC and 32 hexadecimal digits',
  }),
  authToken: secret('Auth token of the account; Twilio signs its callbacks with it.'),
  sms: Type.Optional(group('Sends SMS.', { ...fromOf(sender), templatesInAccount })),
  voice: Type.Optional(
    group('Makes calls.', {
      ...callerFrom('Caller ID of calls: a Twilio number, or one verified there.'),
      voices: voicesByLanguage('Polly.Vicki-Neural'),
      englishFallback,
    }),
  ),
  whatsapp: Type.Optional(
    group('Sends WhatsApp messages.', {
      from: whatsappSender('Number of the WhatsApp sender.'),
      contentSid: contentSid(
        'SID of the `whatsapp/authentication` content for everybody whose language is not among `contents`.',
      ),
      contents: Type.Record(
        Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }),
        contentSid('SID.'),
        {
          default: {},
          names: 'language',
          description: 'The contents of other languages: `{ de: HX..., pt-BR: HX... }`.',
        },
      ),
    }),
  ),
  rcs: Type.Optional(
    group('Sends RCS messages, which Twilio does not send by SMS instead.', {
      ...fromOf(
        rcsAgent(
          'Id of the RCS sender, such as `brand_xyz123_agent`, or the SID of a messaging service that has one (`MG...`).',
        ),
      ),
    }),
  ),
  url: apiUrl('Address of the API, if you use another region.', 'https://api.twilio.com'),
});

export type TwilioOptions = Type.StaticDecode<typeof twilioOptions>;
