/** POST /portal/api/accounts: creates another account. */
import { createAccount } from '../../accounts/accounts.ts';
import { nameOfPerson } from '../../core/accounts/actor.ts';
import { personOf } from '../../identity/access.ts';
import type { Role } from '../../operations/contract.ts';
import { TAKEN } from '../../operations/conventions.ts';
import { refuse, refuseField } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import { AccountView, NewAccount } from './contract.ts';
import { findHeldName } from './held-names.ts';

const OWNER: Role = 'owner';

export const accounts = {
  createAccount: operation({
    summary: 'Create another account',
    description:
      'An owner of any account can do this, and becomes the owner of the new one. Names by which the service itself finds accounts are refused.',
    body: NewAccount,
    response: { 201: AccountView },
    problems: ['forbidden'],
    handler: async (request, { clock, records, providers }) => {
      const { personId, personName, email, address } = personOf(request);
      const name = request.body.name.trim();
      const fault = findHeldName(providers, name);
      if (fault !== undefined) return refuseField('name', fault);
      const by = { personId, name: nameOfPerson({ name: personName, email }), address };
      const outcome = await createAccount(records, name, by, clock.wall());
      switch (outcome.kind) {
        case 'made':
          return { id: outcome.id, name, role: OWNER };
        case 'forbidden':
          return refuse('forbidden');
        case 'taken':
          return refuseField('name', TAKEN);
      }
    },
  }),
};
