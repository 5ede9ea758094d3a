/** What the portal's operations have in common. */
import Type from 'typebox';
import type { FieldFault } from '../core/errors/field-error.ts';
import type { ProblemName } from '../http/problem.ts';

export const NoContent = Type.Null({ description: 'Done.' });
/** What an operation returns that did what it was asked and has nothing to say. */
export const DONE = undefined;

/** For every operation that checks a password or a code. */
export const GUESS_PROBLEMS = [
  'sign-in-failed',
  'too-many-attempts',
  'overloaded',
] as const satisfies readonly ProblemName[];

export const MISSING: FieldFault = { code: 'missing', detail: 'is required' };
export const NO_CURSOR: FieldFault = { code: 'not_a_cursor', detail: 'must be `next` of an earlier page' };
export const TAKEN: FieldFault = { code: 'taken', detail: 'is taken' };
/** What the audit log calls what acts without a person. */
export const OWN_NAME: FieldFault = { code: 'taken', detail: 'is a name that the service itself uses' };
export const NOT_YOUR_PASSWORD: FieldFault = { code: 'no_match', detail: 'is not your password' };

/** What a field expects that takes any destination to which codes may have been sent. */
export const A_FULL_NUMBER =
  'must be a full number or address such as +14155550123, tel:+14155550123;ext=12 or sip:alice@example.com';
