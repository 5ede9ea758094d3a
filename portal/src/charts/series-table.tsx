import { Table } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../format/number.ts';
import { formatMinute } from '../format/time.ts';
import { Scroller } from '../parts/scroller.tsx';
import type { ChartLine } from './scale.ts';
import css from './time-series.module.css';

/** The chart's figures for who cannot see it, or wants them exactly. Steps without anything are left out. */
export function SeriesTable({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly ChartLine[];
}) {
  const [open, setOpen] = useState(false);
  const first = lines[0]?.points ?? [];
  return (
    <details className={css.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {open && (
        <Scroller label={`${label}, as a table`}>
          <Table verticalSpacing={4} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>From</Table.Th>
                {lines.map(({ name }) => (
                  <Table.Th key={name} className="number">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
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
            </Table.Tbody>
          </Table>
        </Scroller>
      )}
    </details>
  );
}
