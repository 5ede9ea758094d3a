/** The countries of look-ups exist, and each reads a swap, and a change of the carrier, in one way. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { checkCountry } from './route-rules.ts';

/** A yes or no, or when it was. */
const TWO_WAYS = [
  ['swapped', 'swappedAt'],
  ['ported', 'portedAt'],
] as const;

export function* checkLookups({ lookups }: Config): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(lookups)) {
    for (const [index, country] of options.for?.entries() ?? [])
      yield* checkCountry(country, ['lookups', name, 'for', index]);
    if (options.type !== 'http') continue;
    for (const [yes, at] of TWO_WAYS) {
      if (options[yes] === undefined || options[at] === undefined) continue;
      yield {
        key: ['lookups', name, at],
        wrong: `is set together with ${yes}`,
        expected: 'one of the two',
        fix: 'remove one',
      };
    }
  }
}
