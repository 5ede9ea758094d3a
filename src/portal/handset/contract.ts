/**
 * The simulator's telephone: GET /portal/api/accounts/:account/handset/events, server-sent events named `message`. Those of
 * test keys; to viewers number and code are covered.
 */
import Type, { type Static } from 'typebox';
import { Channel, Id, Instant, Optional } from '../contract.ts';

export const HandsetMessage = Type.Object({
  id: Id,
  destination: Type.String(),
  channel: Channel,
  /** BCP 47 tag: what a call is spoken in. */
  locale: Type.String(),
  text: Type.String(),
  /** Null for viewers. */
  code: Optional(Type.String()),
  at: Instant,
});
export type HandsetMessage = Static<typeof HandsetMessage>;
