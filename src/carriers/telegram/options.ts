import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, secret, text } from '../../options/fields.ts';

/** Of digits; the shortest has 4, as everywhere. */
export const LONGEST_CODE = 8;

export const telegramOptions = carrierOptions('telegram', "Telegram's Gateway API.", {
  token: secret('API token of the Gateway account; Telegram signs its reports with it.'),
  senderUsername: Type.Optional(
    text('Verified channel of your own that the codes come from. Without it they come from Telegram.', {
      pattern: '^[A-Za-z][A-Za-z0-9_]{3,31}$',
      expected: 'the username of a channel, without @',
    }),
  ),
  url: apiUrl('Address of the API.', 'https://gatewayapi.telegram.org'),
});

export type TelegramOptions = Type.StaticDecode<typeof telegramOptions>;
