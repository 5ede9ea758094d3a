/** POST and DELETE /portal/api/session, /session/second-factor and /session/passkey: signing in and out. */
import { lockPerson } from '../../accounts/people.ts';
import { DONE, GUESS_PROBLEMS, NoContent } from '../../operations/conventions.ts';
import type { Reply } from '../../operations/operation.ts';
import { type Refusal, refuse, refuseBusy, refuseUntil } from '../../operations/refusal.ts';
import { personOf } from '../access.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../cookie.ts';
import { readSignIn, signInOptions } from '../factors/passkeys.ts';
import { identityOperation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { PasskeyChallenge, PasskeySignIn, SecondFactor, SignIn, SignInAnswer } from './contract.ts';
import { readDevices } from './device.ts';
import { signOff } from './session.ts';
import { enter, proveSecondFactor, type RefusedSignIn, type SignInOutcome, signIn } from './sign-in.ts';
import { ofSource, returnGuess, takeGuess } from './throttle.ts';

/** Proves that the password was right, until the second factor comes. */
const STEP_COOKIE = '__Host-countersign-step';
const STEP_SECONDS = 600;

/** A session, a request for the second factor, or a refusal. */
export function answerSignIn(reply: Reply, outcome: SignInOutcome): SignInAnswer | Refusal {
  switch (outcome.kind) {
    case 'signed-in':
      outcome.session.hand(reply);
      return { next: 'signed-in' };
    case 'second-factor':
      setCookie(reply, STEP_COOKIE, outcome.token, STEP_SECONDS);
      return { next: 'second-factor' };
    default:
      return refuseSignIn(outcome);
  }
}

export function refuseSignIn(outcome: RefusedSignIn): Refusal {
  switch (outcome.kind) {
    case 'limited':
      return refuseUntil(outcome.retryAfterMs, 'too-many-attempts');
    case 'busy':
      return refuseBusy();
    case 'refused':
      return refuse('sign-in-failed');
  }
}

export const session = {
  signIn: identityOperation({
    summary: 'Sign in with a password',
    description: 'The answer says whether a second factor is needed.',
    body: SignIn,
    response: { 200: SignInAnswer },
    hashesPassword: true,
    problems: GUESS_PROBLEMS,
    handler: async (request, deps, reply) => answerSignIn(reply, await signIn(deps, request, request.body)),
  }),

  proveSecondFactor: identityOperation({
    summary: 'Prove the second factor',
    description: 'After the password: six digits from the authenticator, or a recovery code.',
    body: SecondFactor,
    response: { 204: NoContent },
    problems: GUESS_PROBLEMS,
    handler: async (request, deps, reply) => {
      const token = readCookie(request, STEP_COOKIE) ?? '';
      const outcome = await proveSecondFactor(deps, request, token, request.body.code);
      if (outcome.kind !== 'signed-in') return refuseSignIn(outcome);
      outcome.session.hand(reply);
      setCookie(reply, STEP_COOKIE, '', 0);
      return DONE;
    },
  }),

  beginPasskeySignIn: identityOperation({
    summary: 'Get the challenge for a passkey',
    description: 'For the browser, which signs it with a passkey.',
    response: { 200: PasskeyChallenge },
    handler: async (request, deps) => ({
      options: await signInOptions(deps, { origin: ownOrigin(request) }, deps.clock.wall()),
    }),
  }),

  signInWithPasskey: identityOperation({
    summary: 'Sign in with a passkey',
    description: 'A passkey counts as both factors.',
    body: PasskeySignIn,
    response: { 204: NoContent },
    problems: ['sign-in-failed', 'too-many-attempts'],
    handler: async (request, deps, reply) => {
      const { clock, records } = deps;
      const now = clock.wall();
      const source = ofSource(request.clientAddress, 'passkey');
      const admission = await takeGuess(records, [source], now);
      if (!admission.ok) return refuseUntil(admission.retryAfterMs, 'too-many-attempts');
      const site = { origin: ownOrigin(request) };
      const proof = await readSignIn(deps, site, request.body.response, now);
      if (proof === undefined) return refuse('sign-in-failed');
      const owner = await readDevices(records, proof.personId);
      const { session, steps } = enter(deps, request, { owner, method: 'passkey' }, now);
      const answer = await records.transact([
        lockPerson(proof.personId),
        ...proof.steps,
        returnGuess(source),
        ...steps,
      ]);
      if (!answer.done) return refuse('sign-in-failed');
      session.hand(reply);
      return DONE;
    },
  }),

  signOut: identityOperation({
    summary: 'Sign out',
    description: 'Ends this session.',
    response: { 204: NoContent },
    handler: async (request, { records }, reply) => {
      await records.transact([signOff(personOf(request).id)]);
      setCookie(reply, SESSION_COOKIE, '', 0);
      return DONE;
    },
  }),
};
