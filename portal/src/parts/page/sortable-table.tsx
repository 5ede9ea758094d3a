import type { ReactNode } from 'react';
import { LongTable } from './long-table.tsx';
import { type Column, pressed, sorted, sortOf } from './sort.ts';

interface SortableTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** In the order that they have without a choice. */
  readonly rows: readonly Row[];
  /** What the rows are, such as `countries`. */
  readonly of: string;
  /** As it stands in the page's address. */
  readonly sort: string | null;
  readonly sortBy: (sort: string | null) => void;
  readonly children: (row: Row) => ReactNode;
}

/** A table whose columns sort it; the page's address keeps by which. */
export function SortableTable<Row>({ columns, rows, sort, sortBy, ...table }: SortableTableProps<Row>) {
  const chosen = sortOf(sort, columns);
  return (
    <LongTable
      {...table}
      columns={columns.map(({ name }) => name)}
      figures={columns.filter(({ figure }) => figure).map(({ name }) => name)}
      rows={sorted(rows, columns, chosen)}
      sortedBy={(name) => (chosen?.name === name ? chosen.direction : 'none')}
      sortBy={(name) => sortBy(pressed(name, columns, chosen))}
    />
  );
}
