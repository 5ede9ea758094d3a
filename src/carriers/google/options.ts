import Type from 'typebox';
import { carrierOptions, secret } from '../../options/fields.ts';
import { apiUrl, fromOf } from '../gateway/options.ts';
import { rcsAgent } from '../rcs.ts';

export const googleOptions = carrierOptions('google', "RCS over Google's RCS for Business API.", {
  ...fromOf(rcsAgent('Id of the agent that messages come from.')),
  serviceAccount: secret(
    'Key of the service account, as the console made it: the whole JSON. Give its file with `serviceAccountFile`.',
    { pattern: '^\\s*\\{', expected: 'the JSON of a service account key' },
  ),
  clientToken: Type.Optional(
    secret(
      'Token of the webhook, as the console shows it; Google signs what it reports with it. Without it no receipts are read.',
    ),
  ),
  url: apiUrl(
    'Address of the API. Agents of a region have their own: `https://europe-rcsbusinessmessaging.googleapis.com`.',
    'https://rcsbusinessmessaging.googleapis.com',
  ),
  tokenUrl: apiUrl('Address that gives access tokens.', 'https://oauth2.googleapis.com'),
});

export type GoogleOptions = Type.StaticDecode<typeof googleOptions>;
