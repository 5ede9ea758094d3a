import { Table } from '@mantine/core';
import { useState } from 'react';
import { formatCount, NONE } from '../format/number.ts';
import { formatMinute, type Zone } from '../format/time.ts';
import { ScrollingTable } from '../parts/page/scroller.tsx';
import css from './chart.module.css';
import type { ChartLine } from './scale.ts';

interface SeriesTableProps {
  readonly label: string;
  readonly lines: readonly ChartLine[];
  readonly zone: Zone;
}

/** The chart's figures, for people who cannot see it or want exact values. Empty steps are left out. */
export function SeriesTable({ label, lines, zone }: SeriesTableProps) {
  const [open, setOpen] = useState(false);
  const first = lines[0]?.points ?? [];
  const names = lines.map(({ name }) => name);
  return (
    <details className={css.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {open && (
        <ScrollingTable
          label={`${label}, as a table`}
          columns={['From', ...names]}
          figures={names}
          spacing={4}
        >
          {first.map(({ at }, step) =>
            lines.every(({ points }) => !points[step]?.value) ? null : (
              <Table.Tr key={at}>
                <Table.Th scope="row">{formatMinute(at, zone)}</Table.Th>
                {lines.map(({ name, points, format = formatCount }) => {
                  const value = points[step]?.value ?? null;
                  return (
                    <Table.Td key={name} className="number">
                      {value === null ? NONE : format(value)}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ),
          )}
        </ScrollingTable>
      )}
    </details>
  );
}
