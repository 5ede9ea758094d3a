/** What was done in an account. */
import Type, { type Static } from 'typebox';
import { Id, Instant, Optional } from '../contract.ts';

/** GET /portal/api/accounts/:account/audit?before=CURSOR: newest first, 100 at a time; owners and developers. */
export const AuditLog = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Id,
      at: Instant,
      /** Name of the person, or `command line`. */
      who: Type.String(),
      address: Optional(Type.String()),
      /** Such as `key.created`. */
      action: Type.String(),
      /** What was changed, for people: a key's name and prefix, a member's address. */
      subject: Type.String(),
      /** What changed, in a few words; empty if the action says it all. */
      detail: Type.String(),
    }),
  ),
  next: Optional(Type.String()),
});
export type AuditLog = Static<typeof AuditLog>;
