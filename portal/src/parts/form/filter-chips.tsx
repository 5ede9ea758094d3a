import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './filter-chips.module.css';

interface FilterChipsProps {
  /** What is filtered by, under its name in the address. */
  readonly chips: readonly { readonly name: string; readonly label: string }[];
  readonly remove: (name: string) => void;
  readonly clear: () => void;
  /** What is found. */
  readonly children?: ReactNode;
  /** At the end of the line. */
  readonly beside?: ReactNode;
}

/** What a list is narrowed to: in sight while the list scrolls, each with a press to take it off. */
export function FilterChips({ chips, remove, clear, children, beside }: FilterChipsProps) {
  return (
    <div className={css.bar}>
      {children}
      {chips.length > 0 && (
        <ul className={css.chips} aria-label="Active filters">
          {chips.map(({ name, label }) => (
            <li key={name}>
              <Button size="compact-xs" variant="light" onClick={() => remove(name)}>
                {label}
                <span aria-hidden="true" className={css.cross}>
                  ×
                </span>
                <span className="quiet"> Remove this filter</span>
              </Button>
            </li>
          ))}
          <li>
            <Button size="compact-xs" variant="subtle" onClick={clear}>
              Clear filters
            </Button>
          </li>
        </ul>
      )}
      {beside !== undefined && <div className={css.beside}>{beside}</div>}
    </div>
  );
}
