/** Members of an account, and invitations to it. */
import Type, { type Static } from 'typebox';
import { Email, Id, Instant, Name, OneTimeToken, Password, Role } from '../contract.ts';

/** GET /portal/api/accounts/:account/members, for every member. PATCH and DELETE .../members/:user, for owners. */
export const Members = Type.Object({
  members: Type.Array(
    Type.Object({ id: Id, name: Name, email: Email, role: Role, since: Instant, two_factor: Type.Boolean() }),
  ),
  invitations: Type.Array(
    Type.Object({ id: Id, email: Email, role: Role, created_at: Instant, expires_at: Instant }),
  ),
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
  /** A person with this address exists: they only need to enter their password. */
  known: Type.Boolean(),
});
export type Invitation = Static<typeof Invitation>;

/** POST /portal/api/invitations/accept. Answers SignInAnswer with a session. */
export const Acceptance = Type.Object({ token: OneTimeToken, name: Type.Optional(Name), password: Password });
export type Acceptance = Static<typeof Acceptance>;
