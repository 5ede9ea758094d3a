import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** What would be here, and what for. */
  readonly children?: ReactNode;
  /** The next step: a button, a link or a command. */
  readonly action?: ReactNode;
}

/** Why there is nothing, and what to do about it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={css.empty}>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" component="div" className={css.why}>
          {children}
        </Text>
      )}
      {action !== undefined && action !== false && <div className={css.action}>{action}</div>}
    </div>
  );
}
