/** POST /portal/api/accounts: another account on this installation. */
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../../http/problem.ts';
import { type Access, personOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Account, NewAccount } from '../contract/people.ts';
import type { PortalDeps } from '../deps.ts';
import { addMember } from '../members.ts';
import { mintId } from '../token.ts';
import { CHANGE_PROBLEMS, refuseField, SESSION, SIGNED_IN_PROBLEMS } from './conventions.ts';

export function registerAccounts(app: FastifyInstance, { records }: PortalDeps, access: Access): void {
  app.post<{ Body: NewAccount }>(
    '/portal/api/accounts',
    {
      onRequest: access.signedIn,
      schema: {
        operationId: 'createAccount',
        summary: 'Make another account',
        description: 'Owners of an account may; they own the new one.',
        tags: ['portal'],
        security: SESSION,
        body: NewAccount,
        response: { 201: Account },
      },
      config: { problems: [...SIGNED_IN_PROBLEMS, ...CHANGE_PROBLEMS, 'forbidden'] },
    },
    async (request, reply) => {
      const { personId, personName: who, address } = personOf(request);
      const now = Date.now();
      const id = mintId('acc');
      const name = request.body.name.trim();
      const answer = await records.transact([
        {
          // Locks what it finds: who is demoted meanwhile makes no account after that.
          sql: "UPDATE member SET role = role WHERE person_id = $1 AND role = 'owner' RETURNING account_id",
          args: [personId],
          guard: true,
        },
        {
          sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
          args: [id, name, now],
          guard: true,
        },
        addMember(id, personId, 'owner', now),
        auditStep({
          accountId: id,
          who,
          address,
          action: 'account.created',
          subject: name,
          detail: '',
          at: now,
        }),
      ]);
      if (answer.done) return reply.code(201).send({ id, name, role: 'owner' });
      return answer.refusedBy === 0
        ? sendProblem(reply, 'forbidden')
        : refuseField(reply, 'name', 'is taken');
    },
  );
}
