/** POST /portal/api/me/proof and /me/proof/passkey: renews the proof of identity. */
import { auditPersonStep } from '../../accounts/audit.ts';
import { lockPerson } from '../../accounts/people.ts';
import type { Step } from '../../core/sql/records.ts';
import { DONE, GUESS_PROBLEMS, NOT_YOUR_PASSWORD, NoContent } from '../../operations/conventions.ts';
import type { Reply } from '../../operations/operation.ts';
import { type Refusal, refuse, refuseBusy, refuseField, refuseUntil } from '../../operations/refusal.ts';
import { type Person, personOf } from '../access.ts';
import type { IdentityDeps } from '../deps.ts';
import { readSignIn } from '../factors/passkeys.ts';
import { identityOperation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { PasskeySignIn } from '../sign-in/contract.ts';
import { renewSession, type SignInMethod } from '../sign-in/session.ts';
import { provePassword } from '../sign-in/sign-in.ts';
import { IdentityProof } from './contract.ts';

async function renew(
  { clock, records }: IdentityDeps,
  reply: Reply,
  { id, personId, address }: Person,
  method: SignInMethod,
  steps: readonly Step[],
): Promise<typeof DONE | Refusal> {
  const now = clock.wall();
  const session = renewSession(records, id, now);
  const answer = await records.transact([
    lockPerson(personId),
    ...steps,
    ...session.steps,
    auditPersonStep(records, { personId, address, action: 'session.proven', detail: method, at: now }),
  ]);
  if (!answer.done) return refuse('sign-in-failed');
  session.hand(reply);
  return DONE;
}

export const proof = {
  proveByPassword: identityOperation({
    summary: 'Prove your identity with your password',
    description: 'Valid for ten minutes, as after signing in.',
    body: IdentityProof,
    response: { 204: NoContent },
    hashesPassword: true,
    problems: GUESS_PROBLEMS,
    handler: async (request, deps, reply) => {
      const person = personOf(request);
      const { password } = request.body;
      const { email, personId: name } = person;
      const proof = await provePassword(deps, request, { email, password }, { lane: 'known', name });
      if (proof.kind === 'busy') return refuseBusy();
      if (proof.kind === 'limited') return refuseUntil(proof.retryAfterMs, 'too-many-attempts');
      if (proof.kind === 'refused') return refuseField('password', NOT_YOUR_PASSWORD);
      return renew(deps, reply, person, 'password', proof.steps);
    },
  }),

  proveByPasskey: identityOperation({
    summary: 'Prove your identity with a passkey',
    description: 'Uses a sign-in challenge.',
    body: PasskeySignIn,
    response: { 204: NoContent },
    problems: ['sign-in-failed'],
    handler: async (request, deps, reply) => {
      const person = personOf(request);
      const site = { origin: ownOrigin(request) };
      const proof = await readSignIn(deps, site, request.body.response, deps.clock.wall());
      if (proof?.personId !== person.personId) return refuse('sign-in-failed');
      return renew(deps, reply, person, 'passkey', proof.steps);
    },
  }),
};
