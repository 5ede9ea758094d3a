/** Options of one route. */
import Type from 'typebox';
import { CHANNEL_NAMES } from '../../core/destination/channel.ts';
import { THEN } from '../../core/sending/routing.ts';
import { dailyCap, duration, group, integer, text } from '../../options/fields.ts';
import { listChoices } from '../suggestion.ts';

const channel = Type.Enum([...CHANNEL_NAMES], {
  description: `The channel: ${listChoices(CHANNEL_NAMES.map((name) => `\`${name}\``))}.`,
});

const CARRIERS = 'Names of the carriers for these messages, the preferred one first.';
const names = (description: string) =>
  Type.Array(text('The name of a carrier.'), { minItems: 1, description });

const nextChannel = {
  channel,
  carriers: Type.Optional(
    names(
      `${CARRIERS} Without them, those of the route that takes the destination on that channel, in the order that it chooses.`,
    ),
  ),
  after: Type.Optional(
    duration(
      'How long the channel before has to deliver. Without it, the message goes on only when that channel refused it, or reported that it could not be delivered.',
      ['5s', '1h'],
    ),
  ),
};

const thenOptions = group(
  'The channel by which the same code goes if this one does not reach. See docs/routing.md.',
  { ...nextChannel, [THEN]: Type.Optional(group('The channel after that.', nextChannel)) },
);

export const routeOptions = group('One route.', {
  channel,
  countries: Type.Optional(
    Type.Array(
      text('A country.', {
        pattern: '^[A-Z]{2}$',
        names: 'country',
        expected: 'two capital letters such as DE',
      }),
      {
        minItems: 1,
        description:
          'Countries (ISO 3166 alpha-2; `ZZ` for destinations without a country, such as SIP URIs). All by default.',
      },
    ),
  ),
  prefixes: Type.Optional(
    Type.Array(text('A prefix.', { pattern: '^\\+[0-9]{1,15}$', expected: 'a prefix such as "+4915"' }), {
      minItems: 1,
      description: 'Prefixes of numbers, such as `"+4915"`. All by default.',
    }),
  ),
  carriers: names(CARRIERS),
  weights: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), integer('A share.', [1, 1_000_000]), {
      description:
        'Shares of messages for which each carrier is asked first, `{ a: 70, b: 30 }`. Without weights the first of `carriers` is always asked first. Carriers without a share come last, in their order.',
    }),
  ),
  choose: Type.Optional(
    Type.Literal('quality', {
      description:
        '`quality` prefers the carrier whose codes are confirmed most often and fastest in the country, and keeps learning. See docs/routing.md.',
    }),
  ),
  dailyCap: dailyCap(
    'Maximum number of verifications over this route per day (UTC), over all nodes. After that the answer is 429.',
  ),
  [THEN]: Type.Optional(thenOptions),
});
