/** Options for the texts of messages. */
import Type from 'typebox';
import { CHANNEL_NAMES, CHANNELS, type Channel } from '../../core/destination/channel.ts';
import { group } from '../../options/fields.ts';

const languageTag = {
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  expected: 'a language tag such as en or pt-BR',
};

function templateOf(channel: Channel) {
  const description = `Text of the ${CHANNELS[channel].one}.`;
  return Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }));
}

export const messageOptions = group('The texts of messages.', {
  brand: Type.String({
    minLength: 1,
    maxLength: 40,
    default: 'Countersign',
    description: 'Your name in the messages.',
  }),
  locale: Type.Optional(
    Type.String({
      ...languageTag,
      description: "One language for all messages, instead of the destination's language.",
    }),
  ),
  locales: Type.Record(
    Type.String({ pattern: '^[A-Z]{2}$' }),
    Type.String({ ...languageTag, description: 'A language tag such as `fr`.' }),
    {
      default: {},
      description: 'Languages by country, where they differ from the usual ones: `{ CH: fr }`.',
    },
  ),
  templates: Type.Record(
    Type.String(languageTag),
    group(
      'Texts in one language.',
      Object.fromEntries(CHANNEL_NAMES.map((channel) => [channel, templateOf(channel)])),
    ),
    {
      default: {},
      description:
        'Your own texts by language: `{ en: { sms: "{{code}} is your {{brand}} code." } }`. Each must contain `{{code}}` and may contain `{{brand}}` and `{{minutes}}`.',
    },
  ),
  webOtpDomain: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9.-]+$',
      expected: 'a host name such as example.com',
      description: 'Adds the line `@domain #code`, so that browsers fill in the code (WebOTP).',
    }),
  ),
  smsRetrieverHash: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{11}$',
      expected: 'the 11 characters of the app hash',
      description: 'Adds the hash with which Android passes the message to your app (SMS Retriever).',
    }),
  ),
});
