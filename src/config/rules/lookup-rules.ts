/** The countries of look-ups exist, and each reads a swap, and a change of the carrier, in one way. */
import type { CarrierType } from '../../options/carrier-type.ts';
import type { RuleFinding } from '../problem.ts';
import type { FindLookupFault } from '../table/lookup-options.ts';
import type { Config } from '../table/schema.ts';
import { findingOf } from './finding.ts';
import { checkCountry } from './route-rules.ts';

/** A yes or no, or when it was. */
const TWO_WAYS = [
  ['swapped', 'swappedAt'],
  ['ported', 'portedAt'],
] as const;

export function* checkLookups(
  { lookups }: Config,
  _types: readonly CarrierType[],
  findFault: FindLookupFault,
): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(lookups)) {
    for (const [index, country] of options.for?.entries() ?? [])
      yield* checkCountry(country, ['lookups', name, 'for', index]);
    const fault = findFault(options);
    if (fault !== null) yield findingOf(['lookups', name], fault);
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
