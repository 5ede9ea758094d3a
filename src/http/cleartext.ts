/** What is done about a request that travelled in clear: refused, and its key revoked, since anybody may hold it now. */
import { bearerToken } from './authentication.ts';
import type { ProblemMembers } from './problem.ts';

/** Revokes the key if it is a valid one; false when there was nothing to revoke. */
export type RevokeKey = (token: string) => Promise<boolean>;

/** Revokes the key of the request, when there is one, and says so in the problem. */
export async function revokeLeakedKey(
  authorization: string | undefined,
  revoke: RevokeKey | undefined,
): Promise<ProblemMembers | undefined> {
  const token = bearerToken(authorization);
  if (token === undefined || revoke === undefined || !(await revoke(token))) return undefined;
  return {
    detail: 'The request travelled in clear. Its API key was exposed and has been revoked: create a new one.',
  };
}
