/** Options for the texts of messages. */
import Type from 'typebox';
import { LINKLESS_COUNTRIES } from '../../core/countries/rules.ts';
import { BASIC_CHANNELS, type BasicChannel, CHANNELS } from '../../core/destination/channel.ts';
import { group, text } from '../../options/fields.ts';

const NAME = '^[a-z][a-z0-9_-]{0,31}$';

const languageTag = {
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  expected: 'a language tag such as en or pt-BR',
};

function templateOf(channel: BasicChannel) {
  const description = `Text of the ${CHANNELS[channel].one}.`;
  return Type.Optional(text(description, { minLength: 1, maxLength: 1_000 }));
}

const texts = group(
  'Texts in one language.',
  Object.fromEntries(BASIC_CHANNELS.map((channel) => [channel, templateOf(channel)])),
);

/** Indian ids have 13 to 19 digits; other registries may have letters. */
const registeredId = { pattern: '^[A-Za-z0-9_-]{1,64}$', expected: 'an id of letters and digits' };

const registeredTexts = (description: string) =>
  Type.Record(
    Type.String(languageTag),
    group('A registered text.', {
      id: Type.Optional(text('Id of the text (India: of the DLT content template).', registeredId)),
      sms: text('The text exactly as it is registered, with `{{code}}` where its variable is.', {
        minLength: 1,
        maxLength: 1_000,
      }),
    }),
    { description },
  );

const registered = group('What is registered in one country.', {
  entity: Type.Optional(
    text('Id of the business that registered the texts (India: DLT principal entity).', registeredId),
  ),
  texts: registeredTexts('Its texts by language. A message in another language has the first.'),
  named: Type.Record(Type.String({ pattern: NAME }), registeredTexts('The texts of one name by language.'), {
    default: {},
    description: 'Texts that a request asks for by `options.template`, as in `messages.named`.',
  }),
});

export const messageOptions = group(
  'The texts of messages.',
  {
    brand: text('Your name in the messages.', { minLength: 1, maxLength: 40, default: 'Countersign' }),
    locale: Type.Optional(
      text("One language for all messages, instead of the destination's language.", languageTag),
    ),
    locales: Type.Record(
      Type.String({ pattern: '^[A-Z]{2}$' }),
      text('A language tag such as `fr`.', languageTag),
      {
        default: {},
        description: 'Languages by country, where they differ from the usual ones: `{ CH: fr }`.',
      },
    ),
    templates: Type.Record(Type.String(languageTag), texts, {
      default: {},
      description:
        'Your own texts by language: `{ en: { sms: "{{code}} is your {{brand}} code." } }`. Each must contain `{{code}}` and may contain `{{brand}}` and `{{minutes}}`.',
    }),
    named: Type.Record(
      Type.String({ pattern: NAME }),
      Type.Record(Type.String(languageTag), texts, {
        description:
          'The texts of one name by language. A message to people of another language has the first.',
      }),
      {
        default: {},
        description:
          'Texts that a request asks for by `options.template`, by a name of your choice and by language: `{ login: { en: { sms: "{{code}} signs you in." } } }`. They are written as `templates` are.',
      },
    ),
    registered: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), registered, {
      default: {},
      description:
        'Texts that are registered with the operators of a country, such as by DLT in India: `{ IN: { entity: "1101...", texts: { en: { id: "1107...", sms: "{{code}} is your {{brand}} code." } } } }`. SMS to that country have exactly these words and nothing else, and carriers are told the ids (docs/carriers.md).',
    }),
    webOtpDomain: Type.Optional(
      text('Adds the line `@domain #code`, so that browsers fill in the code (WebOTP).', {
        pattern: '^[a-z0-9.-]+$',
        expected: 'a host name such as example.com',
      }),
    ),
    webOtpExcept: Type.Array(
      text('A country.', { pattern: '^[A-Z]{2}$', expected: 'two capital letters such as TR' }),
      {
        default: [...LINKLESS_COUNTRIES],
        maxItems: 300,
        description:
          'Countries whose SMS go without the line of `webOtpDomain`: by default those where networks block texts with links or domains that are not listed (`countersign countries`). Once your domain is listed in one, leave that out.',
      },
    ),
    smsRetrieverHash: Type.Optional(
      text('Adds the hash with which Android passes the message to your app (SMS Retriever).', {
        pattern: '^[A-Za-z0-9+/]{11}$',
        expected: 'the 11 characters of the app hash',
      }),
    ),
  },
  { live: true },
);
