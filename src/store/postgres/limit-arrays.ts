import type { Limit } from '../../core/limits.ts';

/** Calls of accounts with other limits are batches of their own. */
export function limitsGroup({
  limits,
}: {
  readonly limits?: readonly Limit[] | undefined;
}): string | undefined {
  return limits && JSON.stringify(limits);
}

/** Limits as statements take them: what each allows, and in which time. */
export function arraysOf(limits: readonly Limit[]): [maxes: number[], windows: number[]] {
  return [limits.map(({ max }) => max), limits.map(({ windowMs }) => windowMs)];
}
