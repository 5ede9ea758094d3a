/** What is held about one number, for the person who asks about it. */
import Type, { type Static } from 'typebox';
import { Channel, Instant, Optional } from '../contract.ts';
import { Status } from '../verifications/contract.ts';

/** POST /portal/api/accounts/:account/numbers/export and .../erase, for owners. The number is never in a URL. */
export const NumberQuery = Type.Object({
  destination: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The whole number, such as +14155550123.',
  }),
  /** `next` of the answer before. */
  before: Type.Optional(Type.String({ maxLength: 128 })),
});
export type NumberQuery = Static<typeof NumberQuery>;

/** Each answer covers what there was time for: it is asked again with `next` until that is null. */
const part = { next: Optional(Type.String()), searched_to: Instant };

export const NumberExport = Type.Object({
  ...part,
  /** As `/verify` reads it. */
  destination: Type.String(),
  verifications: Type.Array(
    Type.Object({
      id: Type.String(),
      account: Type.String(),
      destination: Optional(Type.String()),
      channel: Channel,
      country: Type.String(),
      test: Type.Boolean(),
      status: Status,
      guesses_left: Type.Integer(),
      requested_at: Instant,
      expires_at: Instant,
      confirmed_at: Optional(Instant),
      attempts: Type.Array(
        Type.Object({
          carrier: Type.String(),
          /** The carrier's id of the message. */
          reference: Optional(Type.String()),
          started_at: Instant,
          ended_at: Instant,
          outcome: Type.String(),
          reason: Optional(Type.String()),
          receipt: Optional(
            Type.Object({ status: Type.String(), reason: Optional(Type.String()), at: Instant }),
          ),
        }),
      ),
    }),
  ),
});
export type NumberExport = Static<typeof NumberExport>;

export const NumberErased = Type.Object({ ...part, erased: Type.Integer() });
export type NumberErased = Static<typeof NumberErased>;
