import { Loader } from '@mantine/core';
import css from './loading.module.css';

export function Loading() {
  return (
    <div className={css.loading} role="status" aria-label="Loading">
      <Loader size="sm" />
    </div>
  );
}
