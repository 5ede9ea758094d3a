/** What a file of accounts would change of the members of one. */
import { normalizeEmail } from '../../accounts/people.ts';
import type { MemberRole } from '../../core/accounts/role.ts';
import type { AccountEntry } from './accounts-file.ts';
import type { AccountChange, Planned, Planning } from './change.ts';

/** Owners step down last, so that the lines of a file may have any order. */
export function planMembers(planning: Planning, members: NonNullable<AccountEntry['members']>): Planned {
  const planned = Object.entries(members).flatMap(([email, role]) => {
    const change = planMember(planning, normalizeEmail(email), role);
    return change === undefined ? [] : [{ email, change }];
  });
  const others = planned.filter(({ change }) => !isSteppingDown(change));
  const down = planned.filter(({ change }) => isSteppingDown(change));
  const owners = [...(planning.held?.members.values() ?? [])].filter(
    ({ kind, role }) => kind === 'member' && role === 'owner',
  );
  const isLeft =
    owners.length > down.length ||
    others.some(({ change }) => change.kind === 'role' && change.role === 'owner');
  return {
    changes: [...others, ...down].map(({ change }) => change),
    problems: isLeft
      ? []
      : down.map(({ email }) => ({
          path: ['accounts', planning.account, 'members', email],
          detail: OWNERLESS,
        })),
  };
}

const OWNERLESS = 'must stay an owner, or another member become one; an invitation does not count yet';

const isSteppingDown = (change: AccountChange): boolean =>
  change.kind === 'role' && change.before === 'owner';

function planMember({ account, held }: Planning, email: string, role: MemberRole): AccountChange | undefined {
  const found = held?.members.get(email);
  if (found?.role === role) return undefined;
  if (found?.kind === 'member') {
    const words = `${email}: ${found.role} to ${role}`;
    return { kind: 'role', account, personId: found.id, before: found.role, role, words };
  }
  const words = `invite ${email} as ${role}`;
  return { kind: 'invitation', account, email, role, replaces: found?.id ?? null, words };
}
