/** /portal/api/accounts/:account/members and /invitations. */
import type { FastifyReply } from 'fastify';
import { invite, withdrawInvitation } from '../../accounts/invitations.ts';
import { changeMember, type MemberChange, type MemberList, readMembers } from '../../accounts/members.ts';
import { normalizeEmail } from '../../accounts/people.ts';
import { sendProblem } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import { NoContent, refuseConflict } from '../conventions.ts';
import { formatInstant } from '../instant.ts';
import { portalLink } from '../link.ts';
import { operation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { InvitationLink, Members, NewInvitation, RoleChange } from './contract.ts';

export const members = {
  listMembers: operation({
    summary: 'List members and invitations',
    description: 'The role of each, and the invitations that are still open.',
    response: { 200: Members },
    handler: async (request, _reply, { records }) =>
      showMembers(await readMembers(records, memberOf(request).accountId, Date.now())),
  }),

  changeRole: operation<{ Params: { id: string }; Body: RoleChange }>({
    summary: 'Change a member’s role',
    description: 'Takes effect at once. The last owner keeps the role.',
    body: RoleChange,
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply) => {
      const { id } = request.params;
      return answerChange(reply, await changeMember(memberOf(request), id, request.body.role, Date.now()));
    },
  }),

  removeMember: operation<{ Params: { id: string } }>({
    summary: 'Remove a member',
    description: 'Takes effect at once. The last owner cannot be removed.',
    response: { 204: NoContent },
    problems: ['conflict'],
    handler: async (request, reply) =>
      answerChange(reply, await changeMember(memberOf(request), request.params.id, null, Date.now())),
  }),

  invite: operation<{ Body: NewInvitation }>({
    summary: 'Invite someone',
    description: 'The link is shown only once. A new invitation replaces an open one.',
    body: NewInvitation,
    response: { 201: InvitationLink },
    problems: ['conflict'],
    handler: async (request, reply) => {
      const by = memberOf(request);
      const { accountId, records } = by;
      const email = normalizeEmail(request.body.email);
      const wanted = { accountId, email, role: request.body.role };
      const outcome = await invite(records, wanted, by, Date.now());
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
    handler: async (request, reply) => {
      const withdrawn = await withdrawInvitation(memberOf(request), request.params.id, Date.now());
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

function showMembers({ members, invitations }: MemberList): Members {
  return {
    members: members.map(({ since, twoFactor, ...member }) => ({
      ...member,
      since: formatInstant(since),
      two_factor: twoFactor,
    })),
    invitations: invitations.map(({ createdAt, expiresAt, ...invitation }) => ({
      ...invitation,
      created_at: formatInstant(createdAt),
      expires_at: formatInstant(expiresAt),
    })),
  };
}
