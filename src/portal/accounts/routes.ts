/** POST /portal/api/accounts: creates another account. */
import { createAccount } from '../../accounts/accounts.ts';
import { sendProblem } from '../../http/problem.ts';
import { personOf } from '../access.ts';
import { refuseField, TAKEN } from '../conventions.ts';
import { operation } from '../operation.ts';
import { Account, NewAccount } from './contract.ts';

export const accounts = {
  createAccount: operation<{ Body: NewAccount }>({
    summary: 'Create another account',
    description: 'An owner of any account can do this, and becomes the owner of the new one.',
    body: NewAccount,
    response: { 201: Account },
    problems: ['forbidden'],
    handler: async (request, reply, { clock, records }) => {
      const { personId, personName, address } = personOf(request);
      const name = request.body.name.trim();
      const by = { personId, name: personName, address };
      const outcome = await createAccount(records, name, by, clock.wall());
      switch (outcome.kind) {
        case 'made':
          return reply.code(201).send({ id: outcome.id, name, role: 'owner' });
        case 'forbidden':
          return sendProblem(reply, 'forbidden');
        case 'taken':
          return refuseField(reply, 'name', TAKEN);
      }
    },
  }),
};
