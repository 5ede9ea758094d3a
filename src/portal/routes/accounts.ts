/** POST /portal/api/accounts: another account on this installation. */
import { sendProblem } from '../../http/problem.ts';
import { personOf } from '../access.ts';
import { auditStep } from '../audit.ts';
import { Account, NewAccount } from '../contract/people.ts';
import { addMember } from '../members.ts';
import { operation } from '../operation.ts';
import { mintId } from '../token.ts';
import { refuseField } from './conventions.ts';

export const accounts = {
  createAccount: operation<{ Body: NewAccount }>(
    {
      operationId: 'createAccount',
      summary: 'Make another account',
      description: 'Owners of an account may; they own the new one.',
      body: NewAccount,
      response: { 201: Account },
      problems: ['forbidden'],
    },
    async (request, reply, { records }) => {
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
  ),
};
