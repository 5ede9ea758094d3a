/** Options of one route. */
import Type from 'typebox';
import { CHANNEL_NAMES } from '../core/destination/channel.ts';
import { dailyCap, group } from '../options/fields.ts';
import { listChoices } from './suggestion.ts';

const channel = Type.Enum([...CHANNEL_NAMES], {
  description: `The channel served: ${listChoices(CHANNEL_NAMES.map((name) => `\`${name}\``))}.`,
});

export const routeOptions = group('One route.', {
  channel,
  countries: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[A-Z]{2}$',
        expected: 'two capitals such as DE',
        description: 'A country.',
      }),
      {
        minItems: 1,
        description:
          'Countries served (ISO 3166 alpha-2; `ZZ` for what has none, such as a SIP URI). All when absent.',
      },
    ),
  ),
  prefixes: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^\\+[0-9]{1,15}$',
        expected: 'a prefix such as "+4915"',
        description: 'A prefix.',
      }),
      {
        minItems: 1,
        description: 'Beginnings of numbers served, such as `"+4915"`. All when absent.',
      },
    ),
  ),
  carriers: Type.Array(Type.String({ description: 'The name of a carrier.' }), {
    minItems: 1,
    description: 'Names of the carriers that take these messages, the preferred one first.',
  }),
  weights: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'A share.' }),
      {
        description:
          'Shares of the messages that carriers are asked first for, `{ a: 70, b: 30 }`, instead of always the first of `carriers`. Those without a share come after, in their order.',
      },
    ),
  ),
  choose: Type.Optional(
    Type.Literal('quality', {
      description:
        '`quality` prefers the carrier whose codes are confirmed most and fastest in the country, and goes on learning. See docs/routing.md.',
    }),
  ),
  dailyCap: dailyCap('Verifications over this route in a day (UTC), over all nodes; then the answer is 429.'),
});
