import type { Limit } from '../../core/limits.ts';

/** Calls of accounts with other limits are batches of their own. */
export function limitsGroup({
  limits,
}: {
  readonly limits?: readonly Limit[] | undefined;
}): string | undefined {
  return limits && JSON.stringify(limits);
}
