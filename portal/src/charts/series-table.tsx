import { Table } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../format/number.ts';
import { formatMinute } from '../format/time.ts';
import { ScrollingTable } from '../parts/page/scroller.tsx';
import type { ChartLine } from './scale.ts';
import css from './time-series.module.css';

/** The chart's figures, for people who cannot see it or want exact values. Empty steps are left out. */
export function SeriesTable({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly ChartLine[];
}) {
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
                <Table.Th scope="row">{formatMinute(at)}</Table.Th>
                {lines.map(({ name, points }) => (
                  <Table.Td key={name} className="number">
                    {formatCount(points[step]?.value ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ),
          )}
        </ScrollingTable>
      )}
    </details>
  );
}
