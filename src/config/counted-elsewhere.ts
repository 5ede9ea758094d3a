/** Where a configuration names a country whose numbers count as those of another: what is set for it is not used for them. */
import { describeCountedAs } from '../core/destination/counted-as.ts';
import type { Config } from './table/schema.ts';
import type { Warning } from './warnings.ts';

/** The options that name countries, wherever they stand: carriers have some of their own. */
export const COUNTRY_OPTIONS = {
  list: ['countries', 'for', 'webOtpExcept'],
  one: ['only'],
  map: ['locales', 'prices', 'registered', 'senders'],
} as const;

export function warnOfCountedElsewhere({ given: _, exposed, priceRows, ...options }: Config): Warning[] {
  const priced = [...new Set(priceRows.map(({ to }) => to))];
  const inFile = priced.map((to): Named => ['prices.file', [to], priced]);
  return [...findNamed(options, ''), ...inFile].flatMap(([key, countries, apart]) =>
    describeCountedAs(countries, apart).map((detail) => ({ key, detail })),
  );
}

type Named = readonly [key: string, countries: readonly string[], apart?: readonly string[]];

/** An entry of a map stands alone: what is set for another country may differ. */
function* findNamed(value: object, path: string): Generator<Named> {
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const key = isList ? `${path}[${name}]` : `${path}${path && '.'}${name}`;
    if (isIn(COUNTRY_OPTIONS.one, name) && typeof member === 'string') yield [key, [member]];
    if (typeof member !== 'object' || member === null) continue;
    if (isIn(COUNTRY_OPTIONS.list, name) && Array.isArray(member)) yield [key, member];
    else if (isIn(COUNTRY_OPTIONS.map, name)) {
      const all = Object.keys(member);
      for (const country of all) yield [`${key}.${country}`, [country], all];
    }
    yield* findNamed(member, key);
  }
}

const isIn = (names: readonly string[], name: string) => names.includes(name);
