import { Button, Table } from '@mantine/core';
import type { Members } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { useToast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { roleName } from './roles.ts';

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
      <Scroller label="Invitations" stacked>
        <Table verticalSpacing="sm" aria-label="Invitations">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email address</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Expires</Table.Th>
              {mayChange && <Table.Th>Change</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invitations.map(({ id, email, role, expires_at }) => (
              <Table.Tr key={id}>
                <Table.Th scope="row">{email}</Table.Th>
                <Table.Td data-label="Role">{roleName(role)}</Table.Td>
                <Table.Td data-label="Expires">
                  <When at={expires_at} />
                </Table.Td>
                {mayChange && (
                  <Table.Td>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Withdraw the invitation of ${email}`}
                      onClick={() =>
                        withdraw.mutate(
                          { params: { id } },
                          { onSuccess: () => toast('The invitation is withdrawn: its link no longer works') },
                        )
                      }
                    >
                      Withdraw
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroller>
    </>
  );
}
