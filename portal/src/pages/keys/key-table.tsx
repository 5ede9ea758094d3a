import { Badge, Code, Table } from '@mantine/core';
import type { Key } from '#contract/keys.ts';
import { formatDay } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { OpeningRow } from '../../parts/page/opening-row.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { When } from '../../parts/when.tsx';
import { actionsOn, type KeyTask } from './task.ts';
import { boundsOf, endOf, STATUS } from './words.ts';

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onTask: (task: KeyTask) => void;
}

const COLUMNS = ['Name', 'Key', 'Last used', 'Ends', 'Bounds', 'Created'];

export function KeyTable({ keys, onTask }: KeyTableProps) {
  const may = { developer: useMay('developer'), owner: useMay('owner') };
  return (
    <ScrollingTable label="API keys" columns={[...COLUMNS, '']} spacing={6} stacked sticky>
      {keys.map((key) => {
        const actions = actionsOn(key, may, onTask);
        return (
          <OpeningRow
            key={key.id}
            name={key.name}
            marks={<Marks apiKey={key} />}
            open={() => onTask({ kind: 'show', key })}
          >
            <Table.Td data-label="Key">
              <Code>{key.prefix}…</Code>
            </Table.Td>
            <Table.Td data-label="Last used">
              <When at={key.last_used_at} never="Never" />
            </Table.Td>
            <Table.Td data-label="Ends">{endOf(key)}</Table.Td>
            <Table.Td data-label="Bounds">{boundsOf(key)}</Table.Td>
            <Table.Td data-label="Created">{formatDay(key.created_at)}</Table.Td>
            <Table.Td className="actions">
              {actions.length > 0 && <RowMenu of={key.name} actions={actions} />}
            </Table.Td>
          </OpeningRow>
        );
      })}
    </ScrollingTable>
  );
}

export function Marks({ apiKey: { test, status } }: { readonly apiKey: Key }) {
  return (
    <>
      <Badge variant="default">{test ? 'Test' : 'Live'}</Badge>
      {/* A key in good order needs no badge. */}
      {status !== 'active' && (
        <Badge variant="light" color={STATUS[status].color}>
          {STATUS[status].label}
        </Badge>
      )}
    </>
  );
}
