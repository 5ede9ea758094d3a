import type { Role } from '#contract';

export const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'developer', label: 'Developer' },
  { value: 'viewer', label: 'Viewer' },
];

export const ROLE_ABOUT =
  'Viewers can look. Developers can also manage keys, carriers and rules. Owners can also manage people and settings.';

export const roleOf = (value: string): Role => ROLES.find((role) => role.value === value)?.value ?? 'viewer';
export const roleName = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;
