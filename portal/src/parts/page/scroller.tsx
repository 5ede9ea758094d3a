import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './scroller.module.css';

export interface ScrollingTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The columns that hold numbers. */
  readonly figures?: readonly string[];
  /** On a phone each row becomes a card, with its cells below each other under their `data-label`. */
  readonly stacked?: boolean;
  /** Where there is room for all columns, its head stays in sight. */
  readonly sticky?: boolean;
  readonly spacing?: number | 'xs';
  /** How a column sorts the rows now, and what a press on it does; without, columns only have names. */
  readonly sortedBy?: (column: string) => 'ascending' | 'descending' | 'none';
  readonly sortBy?: (column: string) => void;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table that scrolls in its own frame if it is wider than the page, by keyboard too. */
export function ScrollingTable({
  label,
  columns,
  figures = [],
  stacked = false,
  sticky = false,
  spacing = 'xs',
  sortedBy,
  sortBy,
  children,
}: ScrollingTableProps) {
  const kinds = [css.scroller, ...(stacked ? [css.stacked] : []), ...(sticky ? [css.sticky] : [])];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus (WCAG 2.1.1)
    <section className={kinds.join(' ')} tabIndex={0} aria-label={label}>
      <Table aria-label={label} verticalSpacing={spacing}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th
                key={name}
                className={figures.includes(name) ? 'number' : ''}
                aria-sort={sortedBy?.(name)}
              >
                {name === '' ? (
                  // An empty head is one for the row's actions.
                  <span className="quiet">Actions</span>
                ) : sortBy === undefined ? (
                  name
                ) : (
                  <button type="button" className={css.sort} onClick={() => sortBy(name)}>
                    {name}
                  </button>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  );
}
