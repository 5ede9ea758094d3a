/** /portal/api/accounts/:account/members and /invitations: who belongs to an account. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { type Access, memberOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Id } from '../contract/common.ts';
import { InvitationLink, Members, NewInvitation, RoleChange } from '../contract/people.ts';
import type { PortalDeps } from '../deps.ts';
import { invite, withdrawInvitation } from '../invitations.ts';
import { portalLink } from '../link.ts';
import { changeMember, type MemberChange, readMembers } from '../members.ts';
import { ownOrigin } from '../origin.ts';
import { normalizeEmail } from '../people.ts';
import {
  AccountPath,
  CHANGE_PROBLEMS,
  MEMBER_PROBLEMS,
  NoContent,
  PROVEN_MEMBER_PROBLEMS,
  SESSION,
} from './conventions.ts';

const MemberPath = Type.Object({ account: Id, id: Id });
type MemberPath = Static<typeof MemberPath>;
const common = { tags: ['portal'], security: SESSION };
const PROBLEMS = [...PROVEN_MEMBER_PROBLEMS, ...CHANGE_PROBLEMS, 'conflict'] as const;

export function registerMembers(app: FastifyInstance, { records }: PortalDeps, access: Access): void {
  app.get(
    '/portal/api/accounts/:account/members',
    {
      onRequest: access.viewer,
      schema: {
        ...common,
        operationId: 'listMembers',
        summary: 'List members and invitations',
        params: AccountPath,
        response: { 200: Members },
      },
      config: { problems: MEMBER_PROBLEMS },
    },
    (request) => readMembers(records, memberOf(request).accountId, Date.now()),
  );

  app.patch<{ Params: MemberPath; Body: RoleChange }>(
    '/portal/api/accounts/:account/members/:id',
    {
      onRequest: access.proven.owner,
      schema: {
        ...common,
        operationId: 'changeRole',
        summary: 'Change a member’s role',
        params: MemberPath,
        body: RoleChange,
        response: { 204: NoContent },
      },
      config: { problems: PROBLEMS },
    },
    async (request, reply) => {
      const { id } = request.params;
      return answerChange(reply, await changeMember(memberOf(request), id, request.body.role, Date.now()));
    },
  );

  app.delete<{ Params: MemberPath }>(
    '/portal/api/accounts/:account/members/:id',
    {
      onRequest: access.proven.owner,
      schema: {
        ...common,
        operationId: 'removeMember',
        summary: 'Remove a member',
        params: MemberPath,
        response: { 204: NoContent },
      },
      config: { problems: PROBLEMS },
    },
    async (request, reply) =>
      answerChange(reply, await changeMember(memberOf(request), request.params.id, null, Date.now())),
  );

  app.post<{ Params: { account: string }; Body: NewInvitation }>(
    '/portal/api/accounts/:account/invitations',
    {
      onRequest: access.proven.owner,
      schema: {
        ...common,
        operationId: 'invite',
        summary: 'Invite somebody',
        description: 'The link is shown this once. A new invitation takes the place of an open one.',
        params: AccountPath,
        body: NewInvitation,
        response: { 201: InvitationLink },
      },
      config: { problems: PROBLEMS },
    },
    async (request, reply) => {
      const { accountId, personName: who, address, records } = memberOf(request);
      const email = normalizeEmail(request.body.email);
      const wanted = { accountId, email, role: request.body.role };
      const outcome = await invite(records, wanted, { who, address }, Date.now());
      switch (outcome.kind) {
        case 'invited': {
          const { id, token, expiresAt } = outcome;
          const link = portalLink(ownOrigin(request), 'invitation', token);
          return reply.code(201).send({ id, link, expires_at: new Date(expiresAt).toISOString() });
        }
        case 'member-already':
          return sendProblem(reply, 'conflict', {
            detail: 'Somebody with this address is a member already.',
          });
      }
    },
  );

  app.delete<{ Params: MemberPath }>(
    '/portal/api/accounts/:account/invitations/:id',
    {
      onRequest: access.owner,
      schema: {
        ...common,
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        params: MemberPath,
        response: { 204: NoContent },
      },
      config: { problems: [...MEMBER_PROBLEMS, 'cross-site'] },
    },
    async (request, reply) => {
      const { accountId, personName: who, address, records } = memberOf(request);
      const { id } = request.params;
      const sql = 'SELECT email FROM invitation WHERE account_id = $1 AND id = $2';
      const found = await records.transact([{ sql, args: [accountId, id], guard: true }]);
      if (!found.done) return sendProblem(reply, 'not-found');
      const subject = String(found.rows[0]?.[0]?.email);
      const entry = { accountId, who, address, action: 'member.invitation-withdrawn', subject, detail: '' };
      const answer = await records.transact([
        withdrawInvitation(accountId, id),
        auditStep({ ...entry, at: Date.now() }),
      ]);
      return answer.done ? reply.code(204).send() : sendProblem(reply, 'not-found');
    },
  );
}

function answerChange(reply: FastifyReply, change: MemberChange): FastifyReply {
  switch (change) {
    case 'done':
      return reply.code(204).send();
    case 'unknown':
      return sendProblem(reply, 'not-found');
    case 'last-owner':
      return sendProblem(reply, 'conflict', {
        detail: 'This is the last owner; make another member one first.',
      });
  }
}
