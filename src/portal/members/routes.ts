/** /portal/api/accounts/:account/members and /invitations. */
import type { FastifyReply } from 'fastify';
import { invite, withdrawInvitation } from '../../accounts/invitations.ts';
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
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { NoContent, refuseConflict } from '../conventions.ts';
import { CSV_ANSWER, csvFile, csvHeaders } from '../files/csv-file.ts';
import { formatInstant } from '../instant.ts';
import { portalLink } from '../link.ts';
import { operation } from '../operation.ts';
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
  listMembers: operation<{ Querystring: MembersQuery }>({
    summary: 'List members and invitations',
    description:
      'By name, fifty at a time, with the role of each. The invitations that are still open come with the first page.',
    querystring: MembersQuery,
    response: { 200: Members },
    handler: async (request, _reply, { clock, records }) => {
      const { accountId } = memberOf(request);
      const { before, ...filter } = request.query;
      const { found, next } = await searchList(
        membersOf(records, accountId, filter),
        membersWith(filter),
        before,
      );
      const open =
        before === undefined ? await readInvitations(records, accountId, filter, clock.wall()) : [];
      return { members: found.map(showMember), invitations: open.map(showInvitation), next };
    },
  }),

  exportMembers: operation<{ Querystring: MemberFilters }>({
    summary: 'Export the members as CSV',
    description: 'Those that match, by name, as a file for spreadsheets.',
    querystring: MemberFilters,
    response: CSV_ANSWER,
    exposeHeadRoute: false,
    handler: async (request, reply, { records }) => {
      const filter = request.query;
      const slices = walkList(membersOf(records, memberOf(request).accountId, filter), membersWith(filter));
      const columns = ['name', 'email', 'role', 'since', 'two_factor'];
      const file = await csvFile(columns, slices, (member) => {
        const { name, email, role, since, two_factor } = showMember(member);
        return [name, email, role, since, String(two_factor)];
      });
      return reply.headers(csvHeaders('people')).send(file);
    },
  }),

  changeRole: operation<{ Params: { id: string }; Body: RoleChange }>({
    summary: 'Change a member’s role',
    description: 'Takes effect at once. The last owner keeps the role.',
    body: RoleChange,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply, { clock }) => {
      const { id } = request.params;
      return answerChange(reply, await changeMember(memberOf(request), id, request.body.role, clock.wall()));
    },
  }),

  removeMember: operation<{ Params: { id: string } }>({
    summary: 'Remove a member',
    description: 'Takes effect at once. The last owner cannot be removed.',
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply, { clock }) =>
      answerChange(reply, await changeMember(memberOf(request), request.params.id, null, clock.wall())),
  }),

  invite: operation<{ Body: NewInvitation }>({
    summary: 'Invite someone',
    description: 'The link is shown only once. A new invitation replaces an open one.',
    body: NewInvitation,
    response: { 201: InvitationLink },
    problems: ['conflict'],
    handler: async (request, reply, { clock }) => {
      const by = memberOf(request);
      const { accountId, records } = by;
      const email = normalizeEmail(request.body.email);
      const wanted = { accountId, email, role: request.body.role };
      const outcome = await invite(records, wanted, by, clock.wall());
      switch (outcome.kind) {
        case 'invited': {
          const { id, token, expiresAt } = outcome;
          const link = portalLink(ownOrigin(request), 'invitation', token);
          return reply.code(201).send({ id, link, expires_at: formatInstant(expiresAt) });
        }
        case 'member-already':
          return refuseConflict(reply, 'Someone with this address is already a member.');
      }
    },
  }),

  withdrawInvitation: operation<{ Params: { id: string } }>({
    summary: 'Withdraw an invitation',
    description: 'Its link no longer works.',
    response: { 204: NoContent },
    handler: async (request, reply, { clock }) => {
      const withdrawn = await withdrawInvitation(memberOf(request), request.params.id, clock.wall());
      return withdrawn ? reply.code(204).send() : sendProblem(reply, 'not-found');
    },
  }),
};

function answerChange(reply: FastifyReply, change: MemberChange): FastifyReply {
  switch (change) {
    case 'done':
      return reply.code(204).send();
    case 'unknown':
      return sendProblem(reply, 'not-found');
    case 'last-owner':
      return refuseConflict(reply, 'This is the last owner. Make another member an owner first.');
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
  ...invitation
}: ListedInvitation): Members['invitations'][number] => ({
  ...invitation,
  created_at: formatInstant(createdAt),
  expires_at: formatInstant(expiresAt),
});
