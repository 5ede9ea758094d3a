/** The do-not-send list: GET /portal/api/accounts/:account/do-not-send/numbers and .../ranges, and their changes. */
import Type, { type Static } from 'typebox';
import { Id, Instant, OneOf, Optional } from '../../operations/contract.ts';

export const BlockedNumbers = Type.Object({
  /** Newest first, 50 at a time. */
  numbers: Type.Array(
    Type.Object({
      id: Id,
      /** Masked, except for the country code and the last two digits. */
      number: Type.String(),
      source: OneOf(['person', 'recipient'], {
        description: '`recipient`: its owner sent STOP. `person`: somebody of the account added it.',
      }),
      added_at: Instant,
    }),
  ),
  next: Optional(Type.String()),
});
export type BlockedNumbers = Static<typeof BlockedNumbers>;

export const BlockedNumbersQuery = Type.Object({
  /** `next` of the previous page. */
  before: Type.Optional(Type.String({ maxLength: 64 })),
});
export type BlockedNumbersQuery = Static<typeof BlockedNumbersQuery>;

/** POST .../numbers and .../numbers/remove: the full number is sent in the body and never in a URL. */
export const OneNumber = Type.Object({ number: Type.String({ minLength: 1, maxLength: 300 }) });
export type OneNumber = Static<typeof OneNumber>;

export const BlockedRangeView = Type.Object({ prefix: Type.String(), added_at: Instant });
export const BlockedRanges = Type.Array(BlockedRangeView);
export type BlockedRanges = Static<typeof BlockedRanges>;

/** POST .../ranges. The beginning of numbers, such as +88213. */
export const NewRange = Type.Object({ prefix: Type.String({ minLength: 1, maxLength: 40 }) });
export type NewRange = Static<typeof NewRange>;
