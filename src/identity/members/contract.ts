/** Members of an account, and invitations to it. */
import Type, { type Static } from 'typebox';
import {
  Cursor,
  Email,
  Id,
  Instant,
  Name,
  OneTimeToken,
  Optional,
  Password,
  Role,
} from '../../operations/contract.ts';

const filters = {
  /** A part of the name or of the address. */
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  role: Type.Optional(Role),
};

/** Of GET /portal/api/accounts/:account/members.csv. */
export const MemberFilters = Type.Object(filters);
export type MemberFilters = Static<typeof MemberFilters>;

export const MembersQuery = Type.Object({
  ...filters,
  before: Type.Optional(Cursor),
});
export type MembersQuery = Static<typeof MembersQuery>;

/**
 * GET /portal/api/accounts/:account/members, for every member: by name, 50 at a time; invitations come with the first page. PATCH and
 * DELETE .../members/:user, for owners.
 */
export const Members = Type.Object({
  members: Type.Array(
    Type.Object({ id: Id, name: Name, email: Email, role: Role, since: Instant, two_factor: Type.Boolean() }),
  ),
  invitations: Type.Array(
    Type.Object({
      id: Id,
      email: Email,
      role: Role,
      created_at: Instant,
      expires_at: Instant,
      /** The person; null for the command line. If they are removed or are no owner any more, it is withdrawn. */
      invited_by: Optional(Id),
    }),
  ),
  next: Optional(Type.String()),
});
export type Members = Static<typeof Members>;

export const RoleChange = Type.Object({ role: Role });
export type RoleChange = Static<typeof RoleChange>;

/** POST /portal/api/accounts/:account/invitations; DELETE .../invitations/:id withdraws. */
export const NewInvitation = Type.Object({ email: Email, role: Role });
export type NewInvitation = Static<typeof NewInvitation>;
/** The link is shown once, and works once, within three days. */
export const InvitationLink = Type.Object({ id: Id, link: Type.String(), expires_at: Instant });
export type InvitationLink = Static<typeof InvitationLink>;

/** POST /portal/api/invitations/look: what an invitation is for, with the token from the link's fragment. */
export const InvitationToken = Type.Object({ token: OneTimeToken });
export type InvitationToken = Static<typeof InvitationToken>;
export const Invitation = Type.Object({
  account: Name,
  email: Email,
  role: Role,
  /** The browser is signed in as the person with this address. Nobody else is told whether there is one. */
  known: Type.Boolean(),
});
export type Invitation = Static<typeof Invitation>;

/**
 * POST /portal/api/invitations/accept. Answers SignInAnswer with a session. New people give a name; without one the password must be that of
 * the person with the address, and is refused alike if there is nobody.
 */
export const Acceptance = Type.Object({ token: OneTimeToken, name: Type.Optional(Name), password: Password });
export type Acceptance = Static<typeof Acceptance>;
