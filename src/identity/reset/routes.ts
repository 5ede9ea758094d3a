/** POST /portal/api/reset: a new password for people who can no longer sign in. */
import Type from 'typebox';
import { findPersonById } from '../../accounts/people.ts';
import { OneTimeToken, Password } from '../../operations/contract.ts';
import { DONE, NoContent } from '../../operations/conventions.ts';
import { refuse, refuseBusy, refuseField } from '../../operations/refusal.ts';
import { identityOperation } from '../operation.ts';
import { passwordFault } from '../sign-in/password-rules.ts';
import { enter } from '../sign-in/sign-in.ts';
import { findReset, reset } from './reset.ts';

export const resets = {
  resetSignIn: identityOperation({
    summary: 'Choose a new password with the link from `portal reset`',
    description: 'Removes second factors and passkeys, and ends all sessions.',
    body: Type.Object({ token: OneTimeToken, password: Password }),
    response: { 204: NoContent },
    hashesPassword: true,
    problems: ['link-spent'],
    handler: async (request, deps, reply) => {
      const { clock, records, passwords } = deps;
      const { token, password } = request.body;
      const now = clock.wall();
      const personId = await findReset(records, token, now);
      const person = personId === undefined ? undefined : await findPersonById(records, personId);
      if (person === undefined) return refuse('link-spent');
      const fault = passwordFault(password, person.email);
      if (fault !== undefined) return refuseField('password', fault);
      using deriving = passwords.begin({ lane: 'known', name: person.id });
      if (deriving === undefined) return refuseBusy();
      const hash = await deriving.hash(password);
      const address = request.clientAddress;
      const renewed = { id: person.id, password: hash, address };
      const { owner, steps: begin } = reset(records, token, renewed, now);
      const { session, steps } = enter(deps, request, { owner, method: 'password' }, now);
      const answer = await records.transact([...begin, ...steps]);
      if (!answer.done) return refuse('link-spent');
      session.hand(reply);
      return DONE;
    },
  }),
};
