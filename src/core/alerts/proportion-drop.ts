/** Whether a share fell against its usual, and not by chance. */

/** Of so many, so many were confirmed. */
export interface Proportion {
  readonly asked: number;
  readonly confirmed: number;
}

/** Below these, nothing is said: a few people more or less would decide. */
export const LEAST_NOW = 50;
export const LEAST_USUAL = 200;

/**
 * How many standard deviations the two shares must lie apart (a pooled test of two proportions). By chance that happens to one of
 * 30,000 hours of one country.
 */
const DEVIATIONS = 4;

/**
 * `bad`: the share is lower by more than the part `fall` of the usual one, and chance does not explain it. `near`: it is lower by
 * half of that. Undefined if neither, or if there is too little to tell.
 */
export function judgeDrop(now: Proportion, usual: Proportion, drop: number): 'bad' | 'near' | undefined {
  if (now.asked < LEAST_NOW || usual.asked < LEAST_USUAL) return undefined;
  const [share, expected] = [shareOf(now), shareOf(usual)];
  if (share >= expected * (1 - drop / 2)) return undefined;
  const pooled = (now.confirmed + usual.confirmed) / (now.asked + usual.asked);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / now.asked + 1 / usual.asked));
  const isFar = expected - share >= DEVIATIONS * deviation;
  return isFar && share < expected * (1 - drop) ? 'bad' : 'near';
}

/** More are confirmed than asked where a code was asked for before the hour. */
export const shareOf = ({ asked, confirmed }: Proportion): number => Math.min(1, confirmed / asked);
