/** DELETE /portal/api/me/identities/:id: parting from a provider of single sign-on. */
import Type from 'typebox';
import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import { sendProblem } from '../../http/problem.ts';
import { personOf } from '../access.ts';
import { Id } from '../contract.ts';
import { NoContent } from '../conventions.ts';
import { operation } from '../operation.ts';
import { keepsAnotherWay, unlink } from './identities.ts';

export const identities = {
  unlinkIdentity: operation<{ Params: { id: string } }>(
    {
      operationId: 'unlinkIdentity',
      summary: 'Part from a provider of single sign-on',
      description: 'While a password or a passkey remains to sign in with.',
      params: Type.Object({ id: Id }),
      response: { 204: NoContent },
      problems: ['not-found', 'conflict'],
    },
    async (request, reply, { records }) => {
      const { personId, address } = personOf(request);
      const answer = await records.transact([
        lockPerson(personId),
        unlink(personId, request.params.id),
        keepsAnotherWay(personId),
        auditPersonStep({ personId, address, action: 'identity.unlinked', at: Date.now() }),
      ]);
      if (answer.done) return reply.code(204).send();
      if (answer.refusedBy !== 2) return sendProblem(reply, 'not-found');
      return sendProblem(reply, 'conflict', {
        detail: 'It is all that you sign in with. Set a password or add a passkey first.',
      });
    },
  ),
};
