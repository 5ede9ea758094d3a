import { Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import css from './opening-row.module.css';

interface OpeningRowProps {
  /** The cell that says what the row is about: a button, for the keyboard and for screen readers. */
  readonly name: ReactNode;
  /** Beside the name. */
  readonly marks?: ReactNode;
  readonly open: () => void;
  /** The other cells. */
  readonly children: ReactNode;
}

/** A row that opens what is known about it, wherever it is clicked. */
export function OpeningRow({ name, marks, open, children }: OpeningRowProps) {
  function onClick({ target }: MouseEvent): void {
    const isControl = target instanceof Element && target.closest('a, button, [popover]') !== null;
    const isSelecting = window.getSelection()?.isCollapsed === false;
    if (!isControl && !isSelecting) open();
  }
  return (
    <Table.Tr className={css.row} onClick={onClick}>
      <Table.Th scope="row">
        <div className={css.name}>
          <button type="button" className={css.open} aria-haspopup="dialog" onClick={open}>
            {name}
          </button>
          {marks}
        </div>
      </Table.Th>
      {children}
    </Table.Tr>
  );
}
