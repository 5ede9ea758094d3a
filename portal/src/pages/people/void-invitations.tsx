import { Text } from '@mantine/core';
import type { Role } from '#contract';
import type { Members } from '#contract/members.ts';
import { rolesAbove } from '../../../../src/core/accounts/role.ts';
import { useAsk } from '../../api/hooks.ts';

type Member = Pick<Members['members'][number], 'id' | 'email'>;

interface VoidInvitationsProps {
  readonly member: Member;
  /** The role that they get; null if they are removed. */
  readonly becomes: Role | null;
  readonly when: string;
}

/** What ends with a membership or a role besides: what the member made, and what would give a higher role back to them. */
export function VoidInvitations({ member, becomes, when }: VoidInvitationsProps) {
  const { data } = useAsk('GET accounts/:account/members', { query: {} });
  const above = rolesAbove(becomes);
  // An owner may have made invitations, and nothing is above that role.
  const theirs = data?.invitations.filter(
    (each) =>
      above.length > 0 &&
      (each.invited_by === member.id || (each.email === member.email && above.includes(each.role))),
  );
  if (theirs === undefined || theirs.length === 0) return null;
  return (
    <Text size="sm" mt="xs">
      {when}, these open invitations are withdrawn: {theirs.map(({ email }) => email).join(', ')}.
    </Text>
  );
}
