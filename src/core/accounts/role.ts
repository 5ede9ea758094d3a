/** What members of an account may do: `owner` everything, `developer` everything except people and settings, `viewer` only look. */
export type MemberRole = 'owner' | 'developer' | 'viewer';

/** From the lowest to the highest. */
export const ROLES: readonly MemberRole[] = ['viewer', 'developer', 'owner'];

export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** All of them for somebody who is no member any more. */
export const rolesAbove = (role: MemberRole | null): readonly MemberRole[] =>
  ROLES.filter((each) => role === null || !isAtLeast(role, each));
