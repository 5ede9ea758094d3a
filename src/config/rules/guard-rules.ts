/** Countries must exist, and a range is either sent to or not. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { checkCountry } from './route-rules.ts';

export function* checkGuard({ guard: { countries, neverSend } }: Config): Generator<RuleFinding> {
  for (const [index, country] of countries.entries())
    yield* checkCountry(country, ['guard', 'countries', index]);
  for (const [index, prefix] of neverSend.allow.entries()) {
    if (!neverSend.add.includes(prefix)) continue;
    yield {
      key: ['guard', 'neverSend', 'allow', index],
      wrong: `${prefix} is in add, too`,
      expected: 'each range in one of the two',
      fix: 'remove it from one of them',
    };
  }
}
