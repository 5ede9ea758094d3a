import Type from 'typebox';
import { secret } from '../../options/fields.ts';
import { apiUrl, caller, connections, englishFallback, smsSender } from '../gateway/options.ts';

const sms = Type.Object(
  {
    from: Type.String({ ...smsSender, description: 'Sender: a number, a short code, or a name.' }),
    url: apiUrl({ default: 'https://rest.nexmo.com', description: 'Address of the SMS API.' }),
  },
  { additionalProperties: false, description: 'Sends SMS.' },
);

const voice = Type.Object(
  {
    from: caller('Number that the call shows, linked to the application.'),
    applicationId: Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      expected: 'a UUID',
      description: 'Id of the application whose key signs our requests.',
    }),
    privateKey: secret({
      pattern: '^-----BEGIN ',
      expected: 'a private key in PEM',
      description: 'Private key of the application, PEM.',
    }),
    url: apiUrl({ default: 'https://api.nexmo.com', description: 'Address of the Voice API.' }),
    englishFallback,
  },
  { additionalProperties: false, description: 'Makes calls.' },
);

const signature = Type.Object(
  {
    secret: secret({ description: 'Signature secret of the account.' }),
    method: Type.Enum(['sha256', 'sha512'], {
      default: 'sha256',
      description: 'Algorithm chosen in the account for signing SMS: SHA-256 HMAC or SHA-512 HMAC.',
    }),
  },
  {
    additionalProperties: false,
    description: 'How Vonage signs its callbacks. Without it no receipts are asked for.',
  },
);

export const vonageOptions = Type.Object(
  {
    type: Type.Literal('vonage', { description: 'Vonage SMS API and Voice API.' }),
    apiKey: Type.String({
      pattern: '^[0-9a-z]{8}$',
      expected: '8 characters',
      description: 'API key of the account.',
    }),
    apiSecret: secret({ description: 'API secret of the account.' }),
    sms: Type.Optional(sms),
    voice: Type.Optional(voice),
    signature: Type.Optional(signature),
    connections,
  },
  { additionalProperties: false },
);

export type VonageOptions = Type.StaticDecode<typeof vonageOptions>;
