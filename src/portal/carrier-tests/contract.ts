/** Tests of carriers: one message over one carrier, and what became of it. */
import Type, { type Static } from 'typebox';
import { Channel, Id, Instant, Name, OneOf, Optional } from '../../operations/contract.ts';

export const CarrierTestRequest = Type.Object({
  number: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Where the message goes, such as +14155550123.',
  }),
  channel: Channel,
});
export type CarrierTestRequest = Static<typeof CarrierTestRequest>;

export const CarrierTestView = Type.Object({
  /** Of its verification. */
  id: Id,
  carrier: Type.String(),
  channel: Channel,
  /** Masked. */
  number: Type.String(),
  asked_by: Name,
  asked_at: Instant,
  state: OneOf(
    ['waiting', 'not-asked', 'refused', 'unclear', 'unknown', 'taken', 'delivered', 'undelivered'],
    {
      description:
        '`not-asked`: the service did not ask the carrier, and `reason` says why. `unclear`: the carrier gave no clear answer. `unknown`: no answer was written down. In both cases it may have been sent; it is not sent again.',
    },
  ),
  /** Of the carrier. */
  answer: Optional(
    Type.Object({
      at: Instant,
      ms: Type.Integer({ minimum: 0 }),
      reference: Optional(Type.String({ description: 'The carrier’s own id of the message.' })),
      reason: Optional(Type.String()),
      /** Who can act if it was refused: the operator, the sender with another number, or nobody for a while. */
      cause: Optional(OneOf(['settings', 'message', 'for-now'])),
      cost: Type.Number({ description: 'In the configured currency.' }),
    }),
  ),
  receipt: Optional(
    Type.Object({
      at: Instant,
      status: OneOf(['delivered', 'undelivered']),
      reason: Optional(Type.String()),
    }),
  ),
});
export type CarrierTestView = Static<typeof CarrierTestView>;

/** The latest ten, newest first. */
export const CarrierTestsView = Type.Array(CarrierTestView);
export type CarrierTestsView = Static<typeof CarrierTestsView>;
