/**
 * The simulator's telephone: GET /portal/api/accounts/:account/handset/events, server-sent events named `message`, for the
 * messages of test keys. Viewers get them with number and code covered.
 */
import Type, { type Static } from 'typebox';
import { Channel, Id, Instant, Optional } from '../../operations/contract.ts';

export const HandsetMessage = Type.Object({
  id: Id,
  destination: Type.String(),
  channel: Channel,
  /** BCP 47 tag: the language of a call. */
  locale: Type.String(),
  text: Type.String(),
  /** Null for viewers. */
  code: Optional(Type.String()),
  at: Instant,
});
export type HandsetMessage = Static<typeof HandsetMessage>;
