/** The countries of look-ups exist, and each reads a swap in one way. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { checkCountry } from './route-rules.ts';

export function* checkLookups({ lookups }: Config): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(lookups)) {
    for (const [index, country] of options.for?.entries() ?? [])
      yield* checkCountry(country, ['lookups', name, 'for', index]);
    if (options.type !== 'http' || options.swapped === undefined || options.swappedAt === undefined) continue;
    yield {
      key: ['lookups', name, 'swappedAt'],
      wrong: 'is set together with swapped',
      expected: 'one of the two',
      fix: 'remove one',
    };
  }
}
