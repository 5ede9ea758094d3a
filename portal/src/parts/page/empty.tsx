import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './empty.module.css';

/** Why there is nothing, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      )}
    </div>
  );
}
