import { Badge, Table } from '@mantine/core';
import { useState } from 'react';
import type { Members } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { formatDay } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { roleName } from './roles.ts';
import { VoidInvitations } from './void-invitations.tsx';

const COLUMNS = ['Name', 'Email address', 'Role', 'Second factor', 'Since'];

type Member = Members['members'][number];

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly meId: string;
  readonly mayChange: boolean;
}

export function MemberTable({ members, meId, mayChange }: MemberTableProps) {
  const account = useAccount();
  const remove = useAct('DELETE accounts/:account/members/:id');
  const [changing, setChanging] = useState<Member>();
  const [leaving, setLeaving] = useState<Member>();
  return (
    <>
      <ScrollingTable
        label="Members"
        columns={mayChange ? [...COLUMNS, ''] : COLUMNS}
        spacing={6}
        stacked
        sticky
      >
        {members.map((member) => (
          <Table.Tr key={member.id}>
            <Table.Th scope="row">
              {member.name} {member.id === meId && '(you)'}
            </Table.Th>
            <Table.Td data-label="Email address">{member.email}</Table.Td>
            <Table.Td data-label="Role">{roleName(member.role)}</Table.Td>
            <Table.Td data-label="Second factor">
              <Badge variant="light" color={member.two_factor ? 'green' : 'yellow'}>
                {member.two_factor ? 'On' : 'Off'}
              </Badge>
            </Table.Td>
            <Table.Td data-label="Since">{formatDay(member.since)}</Table.Td>
            {mayChange && (
              <Table.Td className="actions">
                <RowMenu
                  of={member.name}
                  actions={[
                    { name: 'Change role…', act: () => setChanging(member) },
                    { name: 'Remove…', act: () => setLeaving(member) },
                  ]}
                />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollingTable>
      {changing !== undefined && (
        <RoleDialog member={changing} isMe={changing.id === meId} onClose={() => setChanging(undefined)} />
      )}
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${leaving.name}`}
          label="Remove"
          onClose={() => setLeaving(undefined)}
          act={() => remove.mutateAsync({ params: { id: leaving.id } })}
          done={`${leaving.name} is no longer a member`}
        >
          {leaving.name} ({leaving.email}) loses access to {account.name} at once. The keys that they created
          keep working.
          <VoidInvitations member={leaving} becomes={null} when="With them" />
        </Confirm>
      )}
    </>
  );
}
