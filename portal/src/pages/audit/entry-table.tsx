import { Code, Table, Text } from '@mantine/core';
import type { AuditLog } from '#contract/audit.ts';
import { formatInstant } from '../../format/time.ts';
import { ScrollingTable } from '../../parts/page/scroller.tsx';

export function EntryTable({ entries }: { readonly entries: AuditLog['entries'] }) {
  return (
    <ScrollingTable
      label="Audit log"
      columns={['No.', 'When', 'Who', 'What', 'To what']}
      figures={['No.']}
      spacing={6}
      stacked
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td data-label="No." className="number">
            {entry.seq}
          </Table.Td>
          <Table.Td data-label="When">{formatInstant(entry.at)}</Table.Td>
          <Table.Td data-label="Who">
            {entry.who}
            <Text size="xs" c="dimmed">
              {entry.address ?? ''}
            </Text>
          </Table.Td>
          <Table.Td data-label="What">
            <Code>{entry.action}</Code>
          </Table.Td>
          <Table.Td data-label="To what">
            {entry.subject}
            <Text size="xs" c="dimmed">
              {entry.detail}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}
