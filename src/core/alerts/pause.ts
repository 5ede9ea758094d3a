/** How long a notice that no place took waits for its next try, in ms. */
const [FIRST_MS, LONGEST_MS] = [30_000, 3_600_000];
/** As much is added by chance, so that not all come at one time. */
const CHANCE = 0.1;

/** No notice waits longer. */
export const LONGEST_NOTICE_PAUSE_MS = Math.round(LONGEST_MS * (1 + CHANCE));

export function pauseAfter(tries: number, random: () => number): number {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 20));
  return Math.round(pause * (1 + CHANCE * random()));
}
