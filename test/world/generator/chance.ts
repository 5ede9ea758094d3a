/** All chance of the generator comes from a draw. */
import type { Draw } from '../machine/random.ts';

export const one = (draw: Draw, of: number) => draw(of) === 0;
type Suits<T> = (it: T) => boolean;
/** One of those that suit, if there are any; of `late` the newer ones more often. */
export function pick<T>(draw: Draw, list: readonly T[], suits: Suits<T> = () => true): T | undefined {
  const its = list.filter(suits);
  return its.length === 0 ? undefined : its[draw(its.length)];
}
export function late<T>(draw: Draw, list: readonly T[], suits: Suits<T> = () => true): T | undefined {
  const its = list.filter(suits);
  return its.length === 0 ? undefined : its.at(-1 - Math.min(draw(its.length), draw(its.length)));
}

/** One of the names, each as often as its weight says. */
export function weighted<T extends string>(draw: Draw, weights: Readonly<Record<T, number>>): T {
  const names = Object.keys(weights) as T[];
  const each = names.flatMap((it) => Array<T>(weights[it]).fill(it));
  return pick(draw, each) as T;
}
