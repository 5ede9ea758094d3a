/** From a password, and a second factor if there is one, to a session. */
import type { FastifyRequest } from 'fastify';
import { auditPersonStep } from '../../accounts/audit.ts';
import { findPersonByEmail, lockPerson, normalizeEmail, type PersonRecord } from '../../accounts/people.ts';
import { query, type Step } from '../../core/sql/records.ts';
import { cutNetworkOf } from '../../core/text/network.ts';
import type { CookieReply } from '../cookie.ts';
import type { SignInDeps } from '../deps.ts';
import { useRecoveryCode } from '../factors/recovery-codes.ts';
import { spendTotp } from '../factors/totp-secret.ts';
import type { Claimant } from './derivation-queue.ts';
import { type DeviceOwner, deviceOf, handDevice, readDevices } from './device.ts';
import { dropOneTimes, findOneTime, mintOneTime, useOneTime } from './one-time.ts';
import { isOutdated } from './passwords.ts';
import { noteRefusal } from './refusals.ts';
import { beginSession, type NewSession, type SignInMethod } from './session.ts';
import {
  forgetGuesses,
  ofDevice,
  ofPassword,
  ofSecondFactor,
  ofSource,
  returnGuess,
  takeGuess,
  touchGuesses,
} from './throttle.ts';

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly session: NewSession }
  /** The password was right; `token` proves it until the second factor comes. */
  | { readonly kind: 'second-factor'; readonly token: string }
  | RefusedSignIn;

export type RefusedSignIn =
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** Too many passwords are being derived. No guess was counted. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused' };

type Proven =
  | { readonly kind: 'proven'; readonly person: PersonRecord; readonly steps: readonly Step[] }
  | RefusedSignIn;

/** An unknown address is refused like a wrong password, and after the same time. */
export async function signIn(
  deps: SignInDeps,
  request: FastifyRequest,
  credentials: { readonly email: string; readonly password: string },
): Promise<SignInOutcome> {
  const proof = await provePassword(deps, request, credentials);
  return proof.kind === 'proven' ? admitByPassword(deps, request, proof.person, proof.steps) : proof;
}

/**
 * Checks a password within the guessing limits. The steps belong in the transaction that uses the proof. Whoever has shown something
 * already, such as a link, waits as that `claimant`.
 */
export async function provePassword(
  { clock, records, keyring, passwords }: SignInDeps,
  request: FastifyRequest,
  credentials: { readonly email: string; readonly password: string },
  claimant?: Claimant,
): Promise<Proven> {
  const email = normalizeEmail(credentials.email);
  const now = clock.wall();
  const address = request.clientAddress;
  const person = await findPersonByEmail(records, email);
  const device = person && deviceOf(request, keyring, person, now);
  const source = ofSource(address, 'password');
  const anybodys = ofPassword(email);
  // A known device is not affected by what others do, neither to this person nor from this address.
  const own = person && device !== undefined ? ofDevice(person.id, device) : undefined;
  const sender: Claimant =
    own === undefined ? { lane: 'anybody', name: cutNetworkOf(address) } : { lane: 'known', name: own.name };
  using deriving = passwords.begin(claimant ?? sender);
  if (deriving === undefined) return { kind: 'busy' };
  const admission = await takeGuess(records, own === undefined ? [source, anybodys] : [own], now);
  if (!admission.ok) return { kind: 'limited', retryAfterMs: admission.retryAfterMs };
  const known = person?.password ?? null;
  const isRight = await deriving.verify(known, credentials.password);
  if (!isRight || person === undefined || known === null) {
    // After the same time for unknown and known people.
    if (person === undefined) await records.transact([touchGuesses(anybodys)]);
    else await noteRefusal(records, { personId: person.id, action: 'password.refused', address, at: now });
    return { kind: 'refused' };
  }
  const steps = own === undefined ? [returnGuess(source), forgetGuesses(anybodys)] : [forgetGuesses(own)];
  if (!isOutdated(known)) return { kind: 'proven', person, steps };
  const password = await deriving.hash(credentials.password);
  const sql = 'UPDATE person SET password = $3 WHERE id = $1 AND password = $2 RETURNING id';
  const [renewed] = await query(records, sql, person.id, known, password);
  return renewed === undefined
    ? { kind: 'refused' }
    : { kind: 'proven', person: { ...person, password }, steps };
}

/** Begins the session of a person whose password was proven, or asks for the second factor. */
export async function admitByPassword(
  deps: SignInDeps,
  request: FastifyRequest,
  { id, password, totp, devices }: PersonRecord,
  steps: readonly Step[],
): Promise<SignInOutcome> {
  const { clock, records } = deps;
  const now = clock.wall();
  // Nothing may have changed since it was read: a session must not begin with a password that was just replaced, or
  // without a second factor that was just set up.
  const unchanged: Step = {
    sql: `SELECT id FROM person WHERE id = $1 AND password = $2
      AND (SELECT count(*) FROM totp WHERE person_id = $1 AND confirmed_at IS NOT NULL) = $3`,
    args: [id, password, Number(totp)],
    guard: true,
  };
  const before = [lockPerson(id), unchanged, ...steps];
  if (totp) {
    const { token, step } = mintOneTime(records, 'second-factor', id, now);
    const answer = await records.transact([...before, step]);
    return answer.done ? { kind: 'second-factor', token } : { kind: 'refused' };
  }
  const { session, steps: begin } = enter(deps, request, { owner: { id, devices }, method: 'password' }, now);
  const answer = await records.transact([...before, ...begin]);
  return answer.done ? { kind: 'signed-in', session } : { kind: 'refused' };
}

/** Checks six digits from the authenticator, or a recovery code, with the token of `second-factor`. */
export async function proveSecondFactor(
  deps: SignInDeps,
  request: FastifyRequest,
  token: string,
  code: string,
): Promise<Exclude<SignInOutcome, { kind: 'second-factor' }>> {
  const { clock, records } = deps;
  const now = clock.wall();
  const address = request.clientAddress;
  const personId = await findOneTime(records, 'second-factor', token, now);
  if (personId === undefined) return { kind: 'refused' };
  const subject = ofSecondFactor(personId);
  const admission = await takeGuess(records, [subject], now);
  if (!admission.ok) return { kind: 'limited', retryAfterMs: admission.retryAfterMs };
  const digits = code.replace(/[\s-]/g, '');
  const spend = /^\d{6}$/.test(digits)
    ? await spendTotp(deps, { personId, code: digits }, now)
    : useRecoveryCode(personId, code);
  const refuse = async (): Promise<RefusedSignIn> => {
    await noteRefusal(records, { personId, action: 'second-factor.refused', address, at: now });
    return { kind: 'refused' };
  };
  if (spend === undefined) return refuse();
  const owner = await readDevices(records, personId);
  const { session, steps } = enter(deps, request, { owner, method: 'password+totp' }, now);
  const answer = await records.transact([
    lockPerson(personId),
    useOneTime('second-factor', token, now),
    spend,
    forgetGuesses(subject),
    dropOneTimes(personId, 'second-factor'),
    ...steps,
  ]);
  return answer.done ? { kind: 'signed-in', session } : refuse();
}

/** The steps of a sign-in, with its audit entry. Afterwards the device is known. */
export function enter(
  deps: Pick<SignInDeps, 'records' | 'keyring'>,
  request: FastifyRequest,
  entry: {
    readonly owner: DeviceOwner;
    readonly method: SignInMethod;
    /** What the audit log says, if the method is not enough. */
    readonly detail?: string;
  },
  now: number,
): { readonly session: NewSession; readonly steps: readonly Step[] } {
  const { owner, method, detail = method } = entry;
  const address = request.clientAddress;
  const session = beginSession(deps.records, request, owner.id, method, now);
  const audit = auditPersonStep(deps.records, {
    ...{ personId: owner.id, address, action: 'session.began', detail, at: now },
  });
  const hand = (reply: CookieReply) => {
    session.hand(reply);
    handDevice(deps, request, reply, owner, now);
  };
  return { session: { ...session, hand }, steps: [...session.steps, audit] };
}
