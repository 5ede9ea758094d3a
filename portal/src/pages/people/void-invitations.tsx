import { Text } from '@mantine/core';
import type { Members } from '#contract/members.ts';
import { useAsk } from '../../api/hooks.ts';

type Member = Pick<Members['members'][number], 'id' | 'email'>;

/** What ends with a membership, or with the role of owner, besides. */
export function VoidInvitations({ member, when }: { readonly member: Member; readonly when: string }) {
  const { data } = useAsk('GET accounts/:account/members', { query: {} });
  const theirs = data?.invitations.filter(
    ({ email, invited_by }) => invited_by === member.id || email === member.email,
  );
  if (theirs === undefined || theirs.length === 0) return null;
  return (
    <Text size="sm" mt="xs">
      {when}, these open invitations are withdrawn: {theirs.map(({ email }) => email).join(', ')}.
    </Text>
  );
}
