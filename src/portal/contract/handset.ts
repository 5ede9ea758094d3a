/** The simulator's telephone: GET /portal/api/accounts/:account/handset/events, server-sent events named `message`. */
import Type, { type Static } from 'typebox';
import { Channel, Id, Instant } from './common.ts';

export const HandsetMessage = Type.Object({
  id: Id,
  destination: Type.String(),
  channel: Channel,
  /** BCP 47 tag: what a call is spoken in. */
  locale: Type.String(),
  text: Type.String(),
  code: Type.String(),
  at: Instant,
});
export type HandsetMessage = Static<typeof HandsetMessage>;
