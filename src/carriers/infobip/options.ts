import Type from 'typebox';
import { carrierOptions, group, secret } from '../../options/fields.ts';
import { apiUrl, callerFrom, englishFallback, fromOf, smsFrom } from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';
import { templateFields, whatsappSender } from '../whatsapp/template.ts';

export const infobipOptions = carrierOptions('infobip', 'Infobip SMS, and calls that read out a text.', {
  url: apiUrl('Base URL of the account, such as `https://xxxxx.api.infobip.com`.'),
  apiKey: secret('API key with the scopes for sending.'),
  webhookPassword: Type.Optional(
    secret(
      'Password, of at least 16 characters, with which a subscription of the account forwards what people send back. Without it none of that is read.',
      { minLength: 16 },
    ),
  ),
  sms: Type.Optional(group('Sends SMS.', smsFrom)),
  voice: Type.Optional(group('Makes calls.', { ...callerFrom('Caller ID of calls.'), englishFallback })),
  whatsapp: Type.Optional(
    group('Sends WhatsApp messages.', {
      from: whatsappSender('Number of the WhatsApp sender.'),
      ...templateFields,
    }),
  ),
  rcs: Type.Optional(group('Sends RCS messages.', fromOf(rcsAgent('Name of the RCS sender.')))),
});

export type InfobipOptions = Type.StaticDecode<typeof infobipOptions>;
