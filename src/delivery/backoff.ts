import type { Random } from '../core/seams/random.ts';

const FIRST_MS = 500;
const LONGEST_MS = 5_000;

/**
 * Whole milliseconds until round `rounds` (0 is the first retry). Doubles up to a limit that a ten-minute code can
 * afford, with jitter over the upper half, so that messages that failed together are not retried together.
 */
export function backoff(rounds: number, { fraction }: Pick<Random, 'fraction'>): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(rounds, 16));
  return Math.ceil(ceiling / 2 + fraction() * (ceiling / 2));
}
