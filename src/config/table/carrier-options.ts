/** Options of carriers: those of each type, and those that all carriers have. */
import Type, { type TObject } from 'typebox';
import type { AnyCarrierOptions, CarrierType } from '../../options/carrier-type.ts';
import { dailyCap, duration, group, integer, limit } from '../../options/fields.ts';

const common = {
  rate: Type.Optional(limit('Maximum rate of messages to the carrier, such as `50/1s`.')),
  concurrency: Type.Optional(
    integer('Maximum number of messages under way at once. The default depends on the carrier.', [1, 10_000]),
  ),
  timeout: duration('How long the carrier may take for one message.', ['100ms', '2m'], '10s'),
  breaker: group('When a failing carrier is skipped.', {
    failures: integer('Failures in a row after which the carrier is skipped.', [1, 1_000], 5),
    resetAfter: duration('How long it is skipped before one message tries it again.', ['100ms', '1h'], '10s'),
  }),
  prices: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^(default|[A-Z]{2}|\\+[1-9][0-9]{0,14})$' }),
      Type.Number({ minimum: 0, maximum: 1_000, description: 'A price in `currency`.' }),
      {
        names: 'country',
        description:
          'Price of one message (for SMS: of one segment), in `currency`, by country or prefix; `default` is for all others: `{ default: 0.05, DE: 0.08, "+49170": 0.09 }`. For more than a few, see `prices.file`.',
      },
    ),
  ),
  dailyCap: dailyCap(
    'Maximum number of messages that the carrier takes per day (UTC), over all nodes. The rest go to the next carrier.',
  ),
};

function withCommon({ properties, ...own }: CarrierType['options']): TObject {
  // A type may override a common option, in the common place: a call takes longer than a request.
  return Type.Object({ ...properties, ...common, ...properties }, { ...own, additionalProperties: false });
}

/** The options of a carrier of any of these types. `type` says which. */
export function carrierOptionsOf(types: readonly CarrierType[]) {
  return Type.Union(types.map(({ options }) => withCommon(options)));
}

type CommonOptions = Type.StaticDecode<Type.TObject<typeof common>>;

/** The options of a carrier that can be read without knowing its type. The object also holds the type's own options. */
export type CarrierConfig = AnyCarrierOptions & CommonOptions;
