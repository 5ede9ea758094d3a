/** A share of fewer than these says little. */
export const ENOUGH = 20;

export const LEVELS = [
  { name: 'under 50%', from: 0 },
  { name: '50% to 70%', from: 0.5 },
  { name: '70% to 85%', from: 0.7 },
  { name: '85% and more', from: 0.85 },
] as const;

/** The place of a share in LEVELS; undefined where there are too few. */
export function levelOf(part: number, whole: number): number | undefined {
  return whole < ENOUGH ? undefined : LEVELS.findLastIndex(({ from }) => part / whole >= from);
}
