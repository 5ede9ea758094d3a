/** GET /portal/api/state and POST /portal/api/setup: from an empty installation to its first owner. */
import { normalizeEmail } from '../../accounts/people.ts';
import { isOwnName } from '../../core/accounts/actor.ts';
import { DONE, NoContent, OWN_NAME } from '../../operations/conventions.ts';
import { refuse, refuseBusy, refuseField } from '../../operations/refusal.ts';
import { identityOperation } from '../operation.ts';
import { readDevices } from '../sign-in/device.ts';
import { passwordFault } from '../sign-in/password-rules.ts';
import { enter } from '../sign-in/sign-in.ts';
import { PortalState, Setup } from './contract.ts';
import { isSetupNeeded, isSetupOpen, setUp } from './setup.ts';

export const firstRun = {
  readPortalState: identityOperation({
    summary: 'Read what the sign-in page needs',
    description: 'Whether there is an owner yet, and the providers of single sign-on.',
    response: { 200: PortalState },
    problems: ['unavailable'],
    handler: async (_request, { records, installation }) => ({
      setup_needed: await isSetupNeeded(records),
      ...installation,
    }),
  }),

  setUpPortal: identityOperation({
    summary: 'Create the first owner',
    description:
      'With the token of the link that the service prints until there is an owner. Signs the owner in.',
    body: Setup,
    response: { 204: NoContent },
    hashesPassword: true,
    problems: ['link-spent'],
    handler: async (request, deps, reply) => {
      const { clock, records, passwords } = deps;
      const { token, name, password } = request.body;
      const email = normalizeEmail(request.body.email);
      const now = clock.wall();
      if (!(await isSetupOpen(records, token, now))) return refuse('link-spent');
      if (isOwnName(name)) return refuseField('name', OWN_NAME);
      const fault = passwordFault(password, email);
      if (fault !== undefined) return refuseField('password', fault);
      using deriving = passwords.begin({ lane: 'known', name: 'the set-up' });
      if (deriving === undefined) return refuseBusy();
      const address = request.clientAddress;
      const person = { name: name.trim(), email, password: await deriving.hash(password), address };
      const { personId, steps } = setUp(records, token, person, now);
      const owner = await readDevices(records, personId);
      const entry = enter(deps, request, { owner, method: 'password' }, now);
      const answer = await records.transact([...steps, ...entry.steps], true);
      if (!answer.done) return refuse('link-spent');
      entry.session.hand(reply);
      return DONE;
    },
  }),
};
