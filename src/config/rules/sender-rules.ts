/** A carrier needs a sender for all countries, in one place, and its countries must exist. */
import { type CarrierType, typeOf } from '../../options/carrier-type.ts';
import type { ConfiguredSenders } from '../../options/senders.ts';
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { checkCountry } from './route-rules.ts';

export function* checkSenders({ carriers }: Config, types: readonly CarrierType[]): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(carriers)) {
    for (const configured of typeOf(types, options).sendersOf?.(options) ?? []) {
      yield* checkOne(['carriers', name, ...configured.group], configured);
    }
  }
}

function* checkOne(
  place: readonly string[],
  { short, one, senders, isOptional }: ConfiguredSenders,
): Generator<RuleFinding> {
  for (const country of Object.keys(senders ?? {})) {
    if (country !== 'default') yield* checkCountry(country, [...place, 'senders', country]);
  }
  const standard = senders?.default;
  if (one !== undefined && standard !== undefined) {
    yield {
      key: [...place, 'senders', 'default'],
      wrong: `is set together with ${short}, which means the same`,
      expected: 'one of the two',
      fix: 'remove one of them',
    };
  }
  if (one !== undefined || standard !== undefined) return;
  if (isOptional && senders === undefined) return;
  yield {
    key: [...place, short],
    wrong: senders === undefined ? 'is missing' : 'is missing, and senders has no default',
    expected: 'a sender for all countries that have none of their own',
    fix: `add it, or default to senders`,
  };
}
