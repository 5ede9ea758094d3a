/** A request that came unencrypted is refused, and its key is revoked: anyone may have read it. */
import { bearerToken } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';
import type { ProblemMembers } from '../problem.ts';

/** Revokes the key; false when it is not a valid one. */
export type RevokeKey = (token: string) => Promise<boolean>;

/** Revokes the key of the request, if any, and says so in the problem. */
export async function revokeLeakedKey(
  authorization: string | undefined,
  revoke: RevokeKey | undefined,
): Promise<ProblemMembers | undefined> {
  const token = bearerToken(authorization) ?? basicCredentials(authorization)?.password;
  if (token === undefined || revoke === undefined || !(await revoke(token))) return undefined;
  return {
    detail: 'The request was not encrypted. Its API key was exposed and has been revoked. Create a new one.',
  };
}
