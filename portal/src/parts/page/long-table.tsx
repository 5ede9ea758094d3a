import { Button } from '@mantine/core';
import { type ReactNode, startTransition, useState } from 'react';
import { ScrollingTable, type ScrollingTableProps } from './scroller.tsx';

interface LongTableProps<Row>
  extends Pick<ScrollingTableProps, 'label' | 'columns' | 'stacked' | 'sortedBy' | 'sortBy'> {
  /** The columns that hold numbers. */
  readonly figures: readonly string[];
  readonly rows: readonly Row[];
  /** What the rows are, such as `countries`. */
  readonly of: string;
  readonly children: (row: Row) => ReactNode;
}

const FIRST = 12;

/** A table of what matters most, first: it begins with a few rows and has the others when asked. */
export function LongTable<Row>({ rows, of, children, ...table }: LongTableProps<Row>) {
  const [all, showAll] = useState(false);
  return (
    <>
      <ScrollingTable {...table}>{rows.slice(0, all ? rows.length : FIRST).map(children)}</ScrollingTable>
      {!all && rows.length > FIRST && (
        <Button mt="sm" variant="default" size="xs" onClick={() => startTransition(() => showAll(true))}>
          Show all {rows.length} {of}
        </Button>
      )}
    </>
  );
}
