import type { Key } from '#contract/keys.ts';

/** Whether requests with it are taken: while it is replaced, both it and its successor are. */
export const isInUse = ({ status }: Pick<Key, 'status'>): boolean =>
  status === 'active' || status === 'overlap';
