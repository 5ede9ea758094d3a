import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { refuse, refuseConflict } from '../../operations/refusal.ts';
import { personOf } from '../access.ts';
import { identityOperation } from '../operation.ts';
import { keepsAnotherWay, unlink } from './identities.ts';

export const identities = {
  unlinkIdentity: identityOperation({
    summary: 'Unlink a single sign-on provider',
    description: 'Possible only with a password or a passkey as another way to sign in.',
    params: { id: Id },
    response: { 204: NoContent },
    problems: ['not-found', 'conflict'],
    handler: async (request, { clock, records }) => {
      const { personId, address } = personOf(request);
      const answer = await records.transact([
        lockPerson(personId),
        unlink(personId, request.params.id),
        keepsAnotherWay(personId),
        auditPersonStep(records, { personId, address, action: 'identity.unlinked', at: clock.wall() }),
      ]);
      if (answer.done) return DONE;
      if (answer.refusedBy !== 2) return refuse('not-found');
      return refuseConflict('This is your only way to sign in. Set a password or add a passkey first.');
    },
  }),
};
