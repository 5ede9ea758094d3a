/** Options of the carriers: each type's own beside those that delivery reads of every carrier. */
import Type, { type TObject } from 'typebox';
import type { AnyCarrierOptions, CarrierType } from '../options/carrier-type.ts';
import { dailyCap, duration, group, limit } from '../options/fields.ts';

const common = {
  rate: Type.Optional(limit({ description: 'Messages handed to the carrier at most, such as `50/1s`.' })),
  concurrency: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Messages under way at once, instead of what the carrier proposes.',
    }),
  ),
  timeout: duration({
    atLeast: '100ms',
    atMost: '2m',
    default: '10s',
    description: 'How long the carrier has for one message.',
  }),
  breaker: group('When a failing carrier is passed over.', {
    failures: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 5,
      description: 'Failures in a row after which the carrier is spared.',
    }),
    resetAfter: duration({
      atLeast: '100ms',
      atMost: '1h',
      default: '10s',
      description: 'How long it is spared before one message tries it again.',
    }),
  }),
  prices: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^(default|[A-Z]{2})$' }),
      Type.Number({ minimum: 0, maximum: 1_000, description: 'A price in `currency`.' }),
      {
        description:
          'Price of one SMS segment, or of one call, in `currency`, by country and for all others: `{ default: 0.05, DE: 0.08 }`.',
      },
    ),
  ),
  dailyCap: dailyCap(
    'Messages that the carrier may take in a day (UTC), over all nodes; the next carrier gets the others.',
  ),
};

function withCommon({ properties, ...own }: CarrierType['options']): TObject {
  // What a type says itself of a common option, in the common place, goes before: a call takes longer than a request.
  return Type.Object({ ...properties, ...common, ...properties }, { ...own, additionalProperties: false });
}

/** The options of a carrier of any of these types; `type` says which. */
export function carrierOptionsOf(types: readonly CarrierType[]) {
  return Type.Union(types.map(({ options }) => withCommon(options)));
}

type CommonOptions = Type.StaticDecode<Type.TObject<typeof common>>;

/** What may be known of a carrier without knowing its type. Its own options are there beside these. */
export type CarrierConfig = AnyCarrierOptions & CommonOptions;
