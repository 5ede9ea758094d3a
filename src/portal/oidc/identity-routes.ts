import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import { sendProblem } from '../../http/problem.ts';
import { personOf } from '../access.ts';
import { NoContent, refuseConflict } from '../conventions.ts';
import { operation } from '../operation.ts';
import { keepsAnotherWay, unlink } from './identities.ts';

export const identities = {
  unlinkIdentity: operation<{ Params: { id: string } }>({
    summary: 'Unlink a single sign-on provider',
    description: 'Possible only with a password or a passkey as another way to sign in.',
    response: { 204: NoContent },
    problems: ['not-found', 'conflict'],
    handler: async (request, reply, { clock, records }) => {
      const { personId, address } = personOf(request);
      const answer = await records.transact([
        lockPerson(personId),
        unlink(personId, request.params.id),
        keepsAnotherWay(personId),
        auditPersonStep(records, { personId, address, action: 'identity.unlinked', at: clock.wall() }),
      ]);
      if (answer.done) return reply.code(204).send();
      if (answer.refusedBy !== 2) return sendProblem(reply, 'not-found');
      return refuseConflict(
        reply,
        'This is your only way to sign in. Set a password or add a passkey first.',
      );
    },
  }),
};
