/** What is held about one number, for the person who asks about it. */
import Type, { type Static } from 'typebox';
import { Channel, Instant, OneOf, Optional } from '../../operations/contract.ts';
import { SaidVerdict, Status } from '../verifications/contract.ts';

/** POST /portal/api/accounts/:account/numbers/export and .../erase, for owners. The number is never in a URL. */
const query = {
  destination: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The whole number, such as +14155550123.',
  }),
  /** `next` of the answer before. */
  before: Type.Optional(Type.String({ maxLength: 128 })),
};

export const NumberQuery = Type.Object(query);
export type NumberQuery = Static<typeof NumberQuery>;

export const NumberErasure = Type.Object({
  ...query,
  also_do_not_send: Type.Optional(
    Type.Boolean({
      description: 'Whether to take it off the do-not-send list, too. Then it is sent to again.',
    }),
  ),
});
export type NumberErasure = Static<typeof NumberErasure>;

/** Each answer covers what there was time for: it is asked again with `next` until that is null. */
const part = { next: Optional(Type.String()), searched_to: Instant };

export const NumberExport = Type.Object({
  ...part,
  /** As `/verify` reads it. */
  destination: Type.String(),
  do_not_send: Type.Array(
    Type.Object({ account: Type.String(), source: OneOf(['person', 'recipient']), added_at: Instant }),
    { description: 'Its entry on the do-not-send list, if it has one. Comes with the first answer.' },
  ),
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
      /** What the account said that it was. */
      verdict: Optional(SaidVerdict),
      attempts: Type.Array(
        Type.Object({
          carrier: Type.String(),
          channel: Channel,
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

export const NumberErased = Type.Object({
  ...part,
  erased: Type.Integer(),
  do_not_send: Optional(
    OneOf(['kept', 'removed'], {
      description:
        'What became of its entry on the do-not-send list, if it had one. Comes with the first answer.',
    }),
  ),
});
export type NumberErased = Static<typeof NumberErased>;
