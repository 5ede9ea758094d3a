/** Options of one hook. */
import Type from 'typebox';
import { KEY_SHAPE } from '../../core/accounts/api-key-format.ts';
import { CHANNEL_NAMES, isMissedCall } from '../../core/destination/channel.ts';
import { HOOK_SYSTEMS } from '../../core/hooks/system.ts';
import { group, secret, text } from '../../options/fields.ts';

export const hookOptions = group('One hook.', {
  system: Type.Enum([...HOOK_SYSTEMS], { description: 'The system that calls it.' }),
  key: secret('API key that it sends as. It must be allowed to bring codes (`keys create --custom-codes`).', {
    expected: KEY_SHAPE,
  }),
  secret: Type.Optional(
    secret('What the system signs its requests with: of Supabase, Zitadel, Authgear and Clerk.', {
      maxLength: 1_000,
    }),
  ),
  channel: Type.Optional(
    Type.Enum(
      CHANNEL_NAMES.filter((channel) => !isMissedCall(channel)),
      {
        description:
          'How its codes are sent. By default what the system asks for, and else `sms`. Not as a missed call: the system makes the code, and no number ends with it.',
      },
    ),
  ),
  template: Type.Optional(
    text('Name of a text of `messages.named` for its messages.', { minLength: 1, maxLength: 32 }),
  ),
  locale: Type.Optional(
    text(
      'One language for its messages, instead of the one that the system names or that of the destination.',
      {
        pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        expected: 'a language tag such as en or pt-BR',
      },
    ),
  ),
});
