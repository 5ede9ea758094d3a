/** /portal/api/me: who is signed in, their password and their sessions. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { RequestHook } from '../../http/authentication.ts';
import { sendProblem } from '../../http/problem.ts';
import { type Access, isProven, personOf } from '../access.ts';
import { auditPersonStep } from '../audit.ts';
import { Id } from '../contract/common.ts';
import { Me, NewPassword, Sessions } from '../contract/session.ts';
import { SESSION_COOKIE, setCookie } from '../cookie.ts';
import type { PortalDeps } from '../deps.ts';
import { dropDevice, handDevice, renewDevices } from '../device.ts';
import { dropOneTimes } from '../one-time.ts';
import { passwordFault } from '../password-rules.ts';
import { findPersonById, lockPerson, readMe } from '../people.ts';
import { endSession, endSessions, readSessions } from '../session.ts';
import { provePassword } from '../sign-in.ts';
import {
  GUESS_PROBLEMS,
  NoContent,
  PROVEN_PROBLEMS,
  refuseField,
  refuseGuess,
  SESSION,
  SIGNED_IN_PROBLEMS,
} from './conventions.ts';

const SessionPath = Type.Object({ id: Id });
const common = { tags: ['portal'], security: SESSION };

export function registerMe(
  app: FastifyInstance,
  deps: PortalDeps,
  access: Access,
  unlessBusy: RequestHook,
): void {
  const { records, keyring, passwords } = deps;

  app.get(
    '/portal/api/me',
    {
      onRequest: access.signedIn,
      schema: { ...common, operationId: 'readMe', summary: 'Who is signed in', response: { 200: Me } },
      config: { problems: SIGNED_IN_PROBLEMS },
    },
    (request) => readMe(records, personOf(request).personId),
  );

  app.post<{ Body: NewPassword }>(
    '/portal/api/me/password',
    {
      onRequest: [unlessBusy, access.signedIn],
      schema: {
        ...common,
        operationId: 'changePassword',
        summary: 'Change the password',
        description:
          'All other sessions end. Who has none yet sets one, after a fresh proof of another kind.',
        body: NewPassword,
        response: { 204: NoContent },
      },
      config: { problems: [...PROVEN_PROBLEMS, ...GUESS_PROBLEMS] },
    },
    async (request, reply) => {
      const { id: sessionId, personId, email, address } = personOf(request);
      const { current, password } = request.body;
      const fault = passwordFault(password, email);
      if (fault !== undefined) return refuseField(reply, 'password', fault);
      const person = await findPersonById(records, personId);
      let before: string | null = null;
      if (person !== undefined && person.password !== null) {
        if (current === undefined) return refuseField(reply, 'current', 'is required');
        const proof = await provePassword(deps, request, { email, password: current });
        if (proof.kind === 'limited') return refuseGuess(reply, proof.retryAfterMs);
        if (proof.kind === 'refused') return refuseField(reply, 'current', 'is not your password');
        await records.transact(proof.steps);
        before = proof.person.password;
      } else if (!isProven(request)) {
        return sendProblem(reply, 'proof-needed');
      }
      const devices = renewDevices(personId);
      const answer = await records.transact([
        lockPerson(personId),
        {
          sql: "UPDATE person SET password = $3 WHERE id = $1 AND coalesce(password, '') = $2 RETURNING id",
          args: [personId, before ?? '', await passwords.hash(password)],
          guard: true,
        },
        endSessions(personId, sessionId),
        devices.step,
        dropOneTimes(personId),
        auditPersonStep({ personId, address, action: 'password.changed', at: Date.now() }),
      ]);
      if (!answer.done) return refuseField(reply, 'current', 'was changed in the meantime');
      handDevice(request, reply, keyring, devices.owner, Date.now());
      return reply.code(204).send();
    },
  );

  app.get(
    '/portal/api/me/sessions',
    {
      onRequest: access.signedIn,
      schema: {
        ...common,
        operationId: 'listSessions',
        summary: 'List my sessions',
        response: { 200: Sessions },
      },
      config: { problems: SIGNED_IN_PROBLEMS },
    },
    (request) => readSessions(records, personOf(request), Date.now()),
  );

  app.delete<{ Params: { id: string } }>(
    '/portal/api/me/sessions/:id',
    {
      onRequest: access.signedIn,
      schema: {
        ...common,
        operationId: 'endSession',
        summary: 'End one of my sessions',
        params: SessionPath,
        response: { 204: NoContent },
      },
      config: { problems: [...SIGNED_IN_PROBLEMS, 'cross-site', 'not-found'] },
    },
    async (request, reply) => {
      const answer = await records.transact([endSession(personOf(request).personId, request.params.id)]);
      return answer.done ? reply.code(204).send() : sendProblem(reply, 'not-found');
    },
  );

  app.delete(
    '/portal/api/me/sessions',
    {
      onRequest: access.signedIn,
      schema: {
        ...common,
        operationId: 'endAllSessions',
        summary: 'End all my sessions',
        description: 'This one too. No device is known any more.',
        response: { 204: NoContent },
      },
      config: { problems: [...SIGNED_IN_PROBLEMS, 'cross-site'] },
    },
    async (request, reply) => {
      const { personId, address } = personOf(request);
      await records.transact([
        lockPerson(personId),
        endSessions(personId),
        renewDevices(personId).step,
        dropOneTimes(personId),
        auditPersonStep({ personId, address, action: 'sessions.ended', at: Date.now() }),
      ]);
      setCookie(reply, SESSION_COOKIE, '', 0);
      dropDevice(reply);
      return reply.code(204).send();
    },
  );
}
