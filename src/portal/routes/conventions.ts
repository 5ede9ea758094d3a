/** What the portal's routes have in common in the OpenAPI document. */
import Type from 'typebox';
import type { ProblemName } from '../../http/problem.ts';
import { Id } from '../contract/common.ts';

/** The session's cookie. */
export const SESSION = [{ session: [] }];

export const AccountPath = Type.Object({ account: Id });

/** Of every route that asks for a session. */
export const SIGNED_IN_PROBLEMS = ['not-signed-in', 'unavailable'] as const satisfies readonly ProblemName[];

/** Of every route that asks for a role in an account. */
export const MEMBER_PROBLEMS = [
  ...SIGNED_IN_PROBLEMS,
  'not-found',
  'forbidden',
] as const satisfies readonly ProblemName[];
