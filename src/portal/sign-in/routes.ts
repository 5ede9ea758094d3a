/** POST and DELETE /portal/api/session, /session/second-factor and /session/passkey: signing in and out. */
import { lockPerson } from '../../accounts/people.ts';
import { personOf } from '../access.ts';
import { DONE, GUESS_PROBLEMS, NoContent } from '../conventions.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../cookie.ts';
import { readSignIn, signInOptions } from '../factors/passkeys.ts';
import { operation, type Reply } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { type Refusal, refuse, refuseBusy, refuseUntil } from '../refusal.ts';
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
  signIn: operation({
    summary: 'Sign in with a password',
    description: 'The answer says whether a second factor is needed.',
    body: SignIn,
    response: { 200: SignInAnswer },
    hashesPassword: true,
    problems: GUESS_PROBLEMS,
    handler: async (request, portal, reply) =>
      answerSignIn(reply, await signIn(portal, request, request.body)),
  }),

  proveSecondFactor: operation({
    summary: 'Prove the second factor',
    description: 'After the password: six digits from the authenticator, or a recovery code.',
    body: SecondFactor,
    response: { 204: NoContent },
    problems: GUESS_PROBLEMS,
    handler: async (request, portal, reply) => {
      const token = readCookie(request, STEP_COOKIE) ?? '';
      const outcome = await proveSecondFactor(portal, request, token, request.body.code);
      if (outcome.kind !== 'signed-in') return refuseSignIn(outcome);
      outcome.session.hand(reply);
      setCookie(reply, STEP_COOKIE, '', 0);
      return DONE;
    },
  }),

  beginPasskeySignIn: operation({
    summary: 'Get the challenge for a passkey',
    description: 'For the browser, which signs it with a passkey.',
    response: { 200: PasskeyChallenge },
    handler: async (request, portal) => ({
      options: await signInOptions(portal, { origin: ownOrigin(request) }, portal.clock.wall()),
    }),
  }),

  signInWithPasskey: operation({
    summary: 'Sign in with a passkey',
    description: 'A passkey counts as both factors.',
    body: PasskeySignIn,
    response: { 204: NoContent },
    problems: ['sign-in-failed', 'too-many-attempts'],
    handler: async (request, portal, reply) => {
      const { clock, records } = portal;
      const now = clock.wall();
      const source = ofSource(request.clientAddress, 'passkey');
      const admission = await takeGuess(records, [source], now);
      if (!admission.ok) return refuseUntil(admission.retryAfterMs, 'too-many-attempts');
      const site = { origin: ownOrigin(request) };
      const proof = await readSignIn(portal, site, request.body.response, now);
      if (proof === undefined) return refuse('sign-in-failed');
      const owner = await readDevices(records, proof.personId);
      const { session, steps } = enter(portal, request, { owner, method: 'passkey' }, now);
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

  signOut: operation({
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
