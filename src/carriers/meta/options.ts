import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import { templateFields } from '../whatsapp/template.ts';

const webhook = group(
  'How Meta proves its reports. Without it no receipts are read. The address itself is entered in the app.',
  {
    appSecret: secret('Secret of the app; Meta signs what it reports with it.'),
    verifyToken: secret('A text of your own, of at least 16 characters: enter the same in the app.', {
      minLength: 16,
    }),
  },
);

export const metaOptions = carrierOptions('meta', 'WhatsApp over the Cloud API of Meta.', {
  phoneNumberId: text('Id of the business phone number, which is not the number itself.', {
    pattern: '^[0-9]{5,20}$',
    expected: 'digits, as a text',
  }),
  accessToken: secret('Access token of a system user with the permission `whatsapp_business_messaging`.'),
  ...templateFields,
  webhook: Type.Optional(webhook),
  apiVersion: text('Version of the Graph API.', {
    pattern: '^v[0-9]{1,3}\\.[0-9]$',
    expected: 'a version such as v24.0',
    default: 'v24.0',
  }),
  url: apiUrl('Address of the Graph API.', 'https://graph.facebook.com'),
});

export type MetaOptions = Type.StaticDecode<typeof metaOptions>;
