import { auditPersonStep } from '../../accounts/audit.ts';
import { changePassword, findPersonById, lockPerson } from '../../accounts/people.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import { Id } from '../../operations/contract.ts';
import { DONE, GUESS_PROBLEMS, MISSING, NOT_YOUR_PASSWORD, NoContent } from '../../operations/conventions.ts';
import { refuse, refuseBusy, refuseField, refuseUntil } from '../../operations/refusal.ts';
import { isProven, personOf } from '../access.ts';
import { SESSION_COOKIE, setCookie } from '../cookie.ts';
import { identityOperation } from '../operation.ts';
import type { Claimant } from '../sign-in/derivation-queue.ts';
import { dropDevice, handDevice, renewDevices } from '../sign-in/device.ts';
import { dropOneTimes } from '../sign-in/one-time.ts';
import { passwordFault } from '../sign-in/password-rules.ts';
import { endSession, endSessions, readSessions } from '../sign-in/session.ts';
import { provePassword } from '../sign-in/sign-in.ts';
import { Me, NewPassword, Sessions } from './contract.ts';
import { readMe } from './me.ts';

const OUTDATED: FieldFault = { code: 'outdated', detail: 'was changed in the meantime' };

export const me = {
  readMe: identityOperation({
    summary: 'Read who is signed in',
    description: 'With the person’s accounts and roles, and how they sign in.',
    response: { 200: Me },
    handler: (request, { records }) => readMe(records, personOf(request).personId),
  }),

  changePassword: identityOperation({
    summary: 'Change the password',
    description:
      'Ends all other sessions. People without a password set one, after proving their identity in another way.',
    body: NewPassword,
    response: { 204: NoContent },
    hashesPassword: true,
    problems: GUESS_PROBLEMS,
    handler: async (request, deps, reply) => {
      const { clock, records, passwords } = deps;
      const { id: sessionId, personId, email, address } = personOf(request);
      const { current, password } = request.body;
      const fault = passwordFault(password, email);
      if (fault !== undefined) return refuseField('password', fault);
      const person = await findPersonById(records, personId);
      const claimant: Claimant = { lane: 'known', name: personId };
      let before: string | null = null;
      if (person !== undefined && person.password !== null) {
        if (current === undefined) return refuseField('current', MISSING);
        const proof = await provePassword(deps, request, { email, password: current }, claimant);
        if (proof.kind === 'busy') return refuseBusy();
        if (proof.kind === 'limited') return refuseUntil(proof.retryAfterMs, 'too-many-attempts');
        if (proof.kind === 'refused') return refuseField('current', NOT_YOUR_PASSWORD);
        await records.transact(proof.steps);
        before = proof.person.password;
      } else if (!isProven(deps, request)) {
        return refuse('proof-needed');
      }
      using deriving = passwords.begin(claimant);
      if (deriving === undefined) return refuseBusy();
      const devices = renewDevices(records, personId);
      const answer = await records.transact([
        lockPerson(personId),
        changePassword(personId, before, await deriving.hash(password)),
        endSessions(personId, sessionId),
        devices.step,
        dropOneTimes(personId, 'second-factor'),
        auditPersonStep(records, { personId, address, action: 'password.changed', at: clock.wall() }),
      ]);
      if (!answer.done) return refuseField('current', OUTDATED);
      handDevice(deps, request, reply, devices.owner, clock.wall());
      return DONE;
    },
  }),

  listSessions: identityOperation({
    summary: 'List my sessions',
    description: 'With the browser, the address and the last use of each.',
    response: { 200: Sessions },
    handler: (request, { clock, records }) => readSessions(records, personOf(request), clock.wall()),
  }),

  endSession: identityOperation({
    summary: 'End one of my sessions',
    description: 'Its browser is signed out at once.',
    params: { id: Id },
    response: { 204: NoContent },
    problems: ['not-found'],
    handler: async (request, { records }) => {
      const answer = await records.transact([endSession(personOf(request).personId, request.params.id)]);
      return answer.done ? DONE : refuse('not-found');
    },
  }),

  endAllSessions: identityOperation({
    summary: 'End all my sessions',
    description: 'Including this one. All known devices are forgotten.',
    response: { 204: NoContent },
    handler: async (request, { clock, records }, reply) => {
      const { personId, address } = personOf(request);
      await records.transact([
        lockPerson(personId),
        endSessions(personId),
        renewDevices(records, personId).step,
        dropOneTimes(personId, 'second-factor'),
        auditPersonStep(records, { personId, address, action: 'sessions.ended', at: clock.wall() }),
      ]);
      setCookie(reply, SESSION_COOKIE, '', 0);
      dropDevice(reply);
      return DONE;
    },
  }),
};
