import { Table } from '@mantine/core';
import type { Members } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { Failure } from '../../parts/page/failure.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useToast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { roleName } from './roles.ts';

const COLUMNS = ['Email address', 'Role', 'Expires'];

interface InvitationTableProps {
  readonly invitations: Members['invitations'];
  readonly mayChange: boolean;
}

export function InvitationTable({ invitations, mayChange }: InvitationTableProps) {
  const withdraw = useAct('DELETE accounts/:account/invitations/:id');
  const toast = useToast();
  return (
    <>
      {withdraw.isError && <Failure error={withdraw.error} />}
      <ScrollingTable label="Invitations" columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS} stacked>
        {invitations.map(({ id, email, role, expires_at }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row">{email}</Table.Th>
            <Table.Td data-label="Role">{roleName(role)}</Table.Td>
            <Table.Td data-label="Expires">
              <When at={expires_at} />
            </Table.Td>
            {mayChange && (
              <Table.Td>
                <RowButton
                  name={`Withdraw the invitation of ${email}`}
                  onClick={() =>
                    withdraw.mutate(
                      { params: { id } },
                      {
                        onSuccess: () => toast('The invitation was withdrawn: its link no longer works'),
                      },
                    )
                  }
                >
                  Withdraw
                </RowButton>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollingTable>
    </>
  );
}
