/** Options of one route. */
import Type from 'typebox';
import { CHANNEL_NAMES } from '../../core/destination/channel.ts';
import { dailyCap, group, integer, text } from '../../options/fields.ts';
import { listChoices } from '../suggestion.ts';

const channel = Type.Enum([...CHANNEL_NAMES], {
  description: `The channel: ${listChoices(CHANNEL_NAMES.map((name) => `\`${name}\``))}.`,
});

export const routeOptions = group('One route.', {
  channel,
  countries: Type.Optional(
    Type.Array(text('A country.', { pattern: '^[A-Z]{2}$', expected: 'two capital letters such as DE' }), {
      minItems: 1,
      description:
        'Countries (ISO 3166 alpha-2; `ZZ` for destinations without a country, such as SIP URIs). All by default.',
    }),
  ),
  prefixes: Type.Optional(
    Type.Array(text('A prefix.', { pattern: '^\\+[0-9]{1,15}$', expected: 'a prefix such as "+4915"' }), {
      minItems: 1,
      description: 'Prefixes of numbers, such as `"+4915"`. All by default.',
    }),
  ),
  carriers: Type.Array(text('The name of a carrier.'), {
    minItems: 1,
    description: 'Names of the carriers for these messages, the preferred one first.',
  }),
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
});
