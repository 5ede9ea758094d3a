/** POST and DELETE /portal/api/session, /session/second-factor and /session/passkey: signing in and out. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RequestHook } from '../../http/authentication.ts';
import { sendProblem } from '../../http/problem.ts';
import { type Access, personOf } from '../access.ts';
import { PasskeyOptions, PasskeySignIn, SecondFactor, SignIn, SignInAnswer } from '../contract/session.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../cookie.ts';
import type { PortalDeps } from '../deps.ts';
import { readDevices } from '../device.ts';
import { ownOrigin } from '../origin.ts';
import { readSignIn, signInOptions } from '../passkeys.ts';
import { lockPerson } from '../people.ts';
import { enter, proveSecondFactor, type SignInOutcome, signIn } from '../sign-in.ts';
import { ofSource, returnGuess, takeGuess } from '../throttle.ts';
import {
  CHANGE_PROBLEMS,
  GUESS_PROBLEMS,
  NoContent,
  refuseGuess,
  SESSION,
  SIGNED_IN_PROBLEMS,
} from './conventions.ts';

/** Stands for a password that was right, until the second factor comes. */
const STEP_COOKIE = '__Host-countersign-step';
const STEP_SECONDS = 600;

/** Answers with the session, with the question for the second factor, or with why there is neither. */
export function answerSignIn(reply: FastifyReply, outcome: SignInOutcome): FastifyReply {
  switch (outcome.kind) {
    case 'signed-in':
      outcome.session.hand(reply);
      return reply.send({ next: 'signed-in' });
    case 'second-factor':
      setCookie(reply, STEP_COOKIE, outcome.token, STEP_SECONDS);
      return reply.send({ next: 'second-factor' });
    case 'limited':
      return refuseGuess(reply, outcome.retryAfterMs);
    case 'refused':
      return sendProblem(reply, 'sign-in-failed');
  }
}

export function registerSession(
  app: FastifyInstance,
  deps: PortalDeps,
  access: Access,
  unlessBusy: RequestHook,
): void {
  const { records, keyring, addressOf } = deps;

  app.post<{ Body: SignIn }>(
    '/portal/api/session',
    {
      onRequest: unlessBusy,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with a password',
        tags: ['portal'],
        body: SignIn,
        response: { 200: SignInAnswer },
      },
      config: { problems: GUESS_PROBLEMS },
    },
    async (request, reply) => answerSignIn(reply, await signIn(deps, request, request.body)),
  );

  app.post<{ Body: SecondFactor }>(
    '/portal/api/session/second-factor',
    {
      schema: {
        operationId: 'proveSecondFactor',
        summary: 'Prove the second factor',
        description: 'Six digits of the authenticator, or a recovery code, after the password.',
        tags: ['portal'],
        body: SecondFactor,
        response: { 204: NoContent },
      },
      config: { problems: GUESS_PROBLEMS },
    },
    async (request, reply) => {
      const token = readCookie(request, STEP_COOKIE) ?? '';
      const outcome = await proveSecondFactor(deps, request, token, request.body.code);
      if (outcome.kind !== 'signed-in') return answerSignIn(reply, outcome);
      outcome.session.hand(reply);
      setCookie(reply, STEP_COOKIE, '', 0);
      return reply.code(204).send();
    },
  );

  app.post(
    '/portal/api/session/passkey/options',
    {
      schema: {
        operationId: 'beginPasskeySignIn',
        summary: 'Ask for a passkey’s challenge',
        tags: ['portal'],
        response: { 200: PasskeyOptions },
      },
      config: { problems: ['cross-site'] },
    },
    async (request) => ({
      options: await signInOptions(keyring, { origin: ownOrigin(request) }, Date.now()),
    }),
  );

  app.post<{ Body: PasskeySignIn }>(
    '/portal/api/session/passkey',
    {
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description: 'Which is both factors: what one has, and what one is or knows.',
        tags: ['portal'],
        body: PasskeySignIn,
        response: { 204: NoContent },
      },
      config: { problems: [...CHANGE_PROBLEMS, 'sign-in-failed', 'too-many-attempts'] },
    },
    async (request, reply) => {
      const now = Date.now();
      const address = addressOf(request);
      const source = ofSource(address, 'passkey');
      const admission = await takeGuess(records, [source], now);
      if (!admission.ok) return refuseGuess(reply, admission.retryAfterMs);
      const site = { origin: ownOrigin(request) };
      const proof = await readSignIn(deps, site, request.body.response, now);
      if (proof === undefined) return sendProblem(reply, 'sign-in-failed');
      const owner = await readDevices(records, proof.personId);
      const { session, steps } = enter(deps, request, { owner, method: 'passkey', address }, now);
      const answer = await records.transact([
        lockPerson(proof.personId),
        ...proof.steps,
        returnGuess(source),
        ...steps,
      ]);
      if (!answer.done) return sendProblem(reply, 'sign-in-failed');
      session.hand(reply);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/portal/api/session',
    {
      onRequest: access.signedIn,
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        tags: ['portal'],
        security: SESSION,
        response: { 204: NoContent },
      },
      config: { problems: [...SIGNED_IN_PROBLEMS, 'cross-site'] },
    },
    async (request, reply) => {
      await records.transact([{ sql: 'DELETE FROM session WHERE id = $1', args: [personOf(request).id] }]);
      setCookie(reply, SESSION_COOKIE, '', 0);
      return reply.code(204).send();
    },
  );
}
