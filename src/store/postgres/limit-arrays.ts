import type { Limit } from '../../core/limits.ts';

/** Limits as statements take them: what each allows, and in which time. */
export function arraysOf(limits: readonly Limit[]): [maxes: number[], windows: number[]] {
  return [limits.map(({ max }) => max), limits.map(({ windowMs }) => windowMs)];
}
