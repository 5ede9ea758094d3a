/** What was done in an account. */
import Type, { type Static } from 'typebox';
import { ACTION_GROUPS } from '../../accounts/audit-log/filter.ts';
import { Id, Instant, OneOf, Optional } from '../../operations/contract.ts';

export const AuditActionGroup = OneOf(ACTION_GROUPS, {
  description: 'What it is about, by the first word of the action.',
});
export type AuditActionGroup = Static<typeof AuditActionGroup>;

const Part = Type.String({ minLength: 1, maxLength: 100 });

const filters = {
  group: Type.Optional(AuditActionGroup),
  /** A part of the name or of the IP address. */
  who: Type.Optional(Part),
  /** A part of the action, of the sentence that pages make of it, or of the detail. */
  text: Type.Optional(Part),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

/** Of GET /portal/api/accounts/:account/audit.csv and audit.json. */
export const AuditFilters = Type.Object(filters);
export type AuditFilters = Static<typeof AuditFilters>;

/** Of GET /portal/api/accounts/:account/audit: newest first, 50 at a time; owners and developers. */
export const AuditQuery = Type.Object({
  ...filters,
  /** `next` of the previous page. */
  before: Type.Optional(Id),
});
export type AuditQuery = Static<typeof AuditQuery>;

/** A filter with few matches is searched in steps; `searched_to` says how far back. */
export const AuditLog = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Id,
      /** Its number in the account's log. */
      seq: Type.Integer(),
      at: Instant,
      /** Name of the person, or `command line`. */
      who: Type.String(),
      address: Optional(Type.String()),
      /** Such as `key.created`, or one of another version. */
      action: Type.String(),
      /** What was changed, for people: a key's name and prefix, a member's address. */
      subject: Type.String(),
      /** What changed, in a few words; empty if the action says it all. */
      detail: Type.String(),
    }),
  ),
  next: Optional(Type.String()),
  searched_to: Optional(Instant),
  /** The number, hash and time of the newest entry, such as `57:9f86…@2026-11-20T16:03:10.004Z`; null before the first. */
  last: Optional(Type.String()),
});
export type AuditLog = Static<typeof AuditLog>;
