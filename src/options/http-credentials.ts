/** How requests to an API of the operator's choice prove who sends them. */
import Type from 'typebox';
import { group, secret, text } from './fields.ts';

export const httpCredentials = {
  basic: Type.Optional(
    group('Credentials for HTTP Basic authentication.', {
      user: text('User name.', { minLength: 1 }),
      password: secret('Password.'),
    }),
  ),
  bearer: Type.Optional(secret('Token for HTTP Bearer authentication.')),
};
