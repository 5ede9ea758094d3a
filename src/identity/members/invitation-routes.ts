/** POST /portal/api/invitations/look and /accept: for people who were invited, with the token from the link. */
import { acceptInvitation, findInvitation } from '../../accounts/invitations.ts';
import { findRole } from '../../accounts/members.ts';
import { addPerson, findPersonByEmail } from '../../accounts/people.ts';
import { hashToken, mintId } from '../../accounts/token.ts';
import { isOwnName } from '../../core/accounts/actor.ts';
import { GUESS_PROBLEMS, OWN_NAME } from '../../operations/conventions.ts';
import { refuse, refuseBusy, refuseConflict, refuseField } from '../../operations/refusal.ts';
import { readCookie, SESSION_COOKIE } from '../cookie.ts';
import { identityOperation } from '../operation.ts';
import { SignInAnswer } from '../sign-in/contract.ts';
import type { Claimant } from '../sign-in/derivation-queue.ts';
import { readDevices } from '../sign-in/device.ts';
import { passwordFault } from '../sign-in/password-rules.ts';
import { answerSignIn, refuseSignIn } from '../sign-in/routes.ts';
import { findSession } from '../sign-in/session.ts';
import { admitByPassword, enter, provePassword } from '../sign-in/sign-in.ts';
import { Acceptance, Invitation, InvitationToken } from './contract.ts';

const ROLE_CHANGED = 'Your role was changed in the meantime. Open the link again.';

export const invitations = {
  lookAtInvitation: identityOperation({
    summary: 'Look at an invitation',
    description: 'Whether it is still open, and what it is for. Does not use it up.',
    body: InvitationToken,
    response: { 200: Invitation },
    problems: ['link-spent'],
    handler: async (request, { clock, records }) => {
      const invitation = await findInvitation(records, request.body.token, clock.wall());
      if (invitation === undefined) return refuse('link-spent');
      const { accountName, email, role } = invitation;
      const cookie = readCookie(request, SESSION_COOKIE) ?? '';
      const session = await findSession(records, cookie, undefined, clock.wall());
      return { account: accountName, email, role, known: session?.email === email };
    },
  }),

  acceptInvitation: identityOperation({
    summary: 'Accept an invitation',
    description:
      'New people give a name and choose a password. People who are known here give only their password.',
    body: Acceptance,
    response: { 200: SignInAnswer },
    hashesPassword: true,
    problems: [...GUESS_PROBLEMS, 'link-spent', 'conflict'],
    handler: async (request, deps, reply) => {
      const { clock, records, passwords } = deps;
      const { token, name, password } = request.body;
      const now = clock.wall();
      const invitation = await findInvitation(records, token, now);
      if (invitation === undefined) return refuse('link-spent');
      const { email } = invitation;
      const address = request.clientAddress;
      const claimant: Claimant = { lane: 'known', name: `invitation ${hashToken(token)}` };
      if (name !== undefined) {
        if (isOwnName(name)) return refuseField('name', OWN_NAME);
        const fault = passwordFault(password, email);
        if (fault !== undefined) return refuseField('password', fault);
      }
      // What is wrong before this line is said alike, whether there is such a person or not.
      if (name === undefined || (await findPersonByEmail(records, email)) !== undefined) {
        const proof = await provePassword(deps, request, { email, password }, claimant);
        if (proof.kind !== 'proven') return refuseSignIn(proof);
        const { id, name } = proof.person;
        const role = await findRole(records, invitation.accountId, id);
        const accepted = await records.transact([
          ...acceptInvitation(records, token, invitation, { id, name, address, role }, now),
          ...proof.steps,
        ]);
        if (!accepted.done && accepted.refusedBy > 0) return refuseConflict(ROLE_CHANGED);
        if (!accepted.done) return refuse('link-spent');
        return answerSignIn(reply, await admitByPassword(deps, request, proof.person, []));
      }
      using deriving = passwords.begin(claimant);
      if (deriving === undefined) return refuseBusy();
      const person = {
        id: mintId('per', records.random),
        name: name.trim(),
        email,
        password: await deriving.hash(password),
      };
      const joining = [
        addPerson(person, now),
        ...acceptInvitation(records, token, invitation, { ...person, address }, now),
      ];
      const owner = await readDevices(records, person.id);
      const { session, steps } = enter(deps, request, { owner, method: 'password' }, now);
      const accepted = await records.transact([...joining, ...steps]);
      if (!accepted.done) return refuse('link-spent');
      return answerSignIn(reply, { kind: 'signed-in', session });
    },
  }),
};
