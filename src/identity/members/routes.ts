/** /portal/api/accounts/:account/members and /invitations. */
import { invite, withdrawInvitation } from '../../accounts/invitations.ts';
import { readTextPlace } from '../../accounts/list-place.ts';
import {
  type ListedInvitation,
  type ListedMember,
  membersOf,
  membersWith,
  readInvitations,
} from '../../accounts/lists/members.ts';
import { searchList, walkList } from '../../accounts/lists/walk.ts';
import { changeMember, type MemberChange } from '../../accounts/members.ts';
import { normalizeEmail } from '../../accounts/people.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, NO_CURSOR, NoContent } from '../../operations/conventions.ts';
import { CSV_ANSWER, csvFile, csvHeaders } from '../../operations/csv-file.ts';
import { formatInstant } from '../../operations/instant.ts';
import { type Refusal, refuse, refuseConflict, refuseField } from '../../operations/refusal.ts';
import { memberOf } from '../access.ts';
import { portalLink } from '../link.ts';
import { identityOperation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import {
  InvitationLink,
  MemberFilters,
  Members,
  MembersQuery,
  NewInvitation,
  RoleChange,
} from './contract.ts';

export const members = {
  listMembers: identityOperation({
    summary: 'List members and invitations',
    description:
      'By name, fifty at a time, with the role of each. The invitations that are still open come with the first page.',
    querystring: MembersQuery,
    response: { 200: Members },
    handler: async (request, { clock, records }) => {
      const { accountId } = memberOf(request);
      const { before, ...filter } = request.query;
      const after = before === undefined ? undefined : readTextPlace(before);
      if (before !== undefined && after === undefined) return refuseField('before', NO_CURSOR);
      const { found, next } = await searchList(
        membersOf(records, accountId, filter),
        membersWith(filter),
        after,
      );
      const open =
        before === undefined ? await readInvitations(records, accountId, filter, clock.wall()) : [];
      return { members: found.map(showMember), invitations: open.map(showInvitation), next };
    },
  }),

  exportMembers: identityOperation({
    summary: 'Export the members as CSV',
    description: 'Those that match, by name, as a file for spreadsheets.',
    querystring: MemberFilters,
    response: CSV_ANSWER,
    exposeHeadRoute: false,
    handler: async (request, { records }, reply) => {
      const filter = request.query;
      const slices = walkList(membersOf(records, memberOf(request).accountId, filter), membersWith(filter));
      const columns = ['name', 'email', 'role', 'since', 'two_factor'];
      const file = await csvFile(columns, slices, (member) => {
        const { name, email, role, since, two_factor } = showMember(member);
        return [name, email, role, since, String(two_factor)];
      });
      reply.headers(csvHeaders('people'));
      return file;
    },
  }),

  changeRole: identityOperation({
    summary: 'Change a member’s role',
    description:
      'Takes effect at once. The last owner keeps the role. Open invitations that would undo it are withdrawn.',
    params: { id: Id },
    body: RoleChange,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, { clock }) => {
      const { id } = request.params;
      return answerChange(await changeMember(memberOf(request), id, request.body.role, clock.wall()));
    },
  }),

  removeMember: identityOperation({
    summary: 'Remove a member',
    description:
      'Takes effect at once, and withdraws the open invitations that they made. The last owner cannot be removed.',
    params: { id: Id },
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, { clock }) =>
      answerChange(await changeMember(memberOf(request), request.params.id, null, clock.wall())),
  }),

  invite: identityOperation({
    summary: 'Invite someone',
    description: 'The link is shown only once. A new invitation replaces an open one.',
    body: NewInvitation,
    response: { 201: InvitationLink },
    problems: ['conflict'],
    handler: async (request, { clock }) => {
      const by = memberOf(request);
      const { accountId, records } = by;
      const email = normalizeEmail(request.body.email);
      const wanted = { accountId, email, role: request.body.role };
      const outcome = await invite(records, wanted, by, clock.wall());
      switch (outcome.kind) {
        case 'invited': {
          const { id, token, expiresAt } = outcome;
          const link = portalLink(ownOrigin(request), 'invitation', token);
          return { id, link, expires_at: formatInstant(expiresAt) };
        }
        case 'member-already':
          return refuseConflict('Someone with this address is already a member.');
      }
    },
  }),

  withdrawInvitation: identityOperation({
    summary: 'Withdraw an invitation',
    description: 'Its link no longer works.',
    params: { id: Id },
    response: { 204: NoContent },
    handler: async (request, { clock }) => {
      const withdrawn = await withdrawInvitation(memberOf(request), request.params.id, clock.wall());
      return withdrawn ? DONE : refuse('not-found');
    },
  }),
};

function answerChange(change: MemberChange): typeof DONE | Refusal {
  switch (change) {
    case 'done':
    case 'unchanged':
      return DONE;
    case 'unknown':
      return refuse('not-found');
    case 'last-owner':
      return refuseConflict('This is the last owner. Make another member an owner first.');
  }
}

const showMember = ({ since, twoFactor, ...member }: ListedMember): Members['members'][number] => ({
  ...member,
  since: formatInstant(since),
  two_factor: twoFactor,
});

const showInvitation = ({
  createdAt,
  expiresAt,
  invitedBy,
  ...invitation
}: ListedInvitation): Members['invitations'][number] => ({
  ...invitation,
  created_at: formatInstant(createdAt),
  expires_at: formatInstant(expiresAt),
  invited_by: invitedBy,
});
