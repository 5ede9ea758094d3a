/** What is known by the beginnings of numbers. */

/**
 * Prepares a look-up by number: the longest prefix that the number begins with decides. Prefixes are put together by what the
 * shortest of them shows, so most numbers cost one look in a map, and the others one more for each length that there is.
 */
export function compilePrefixes<T extends NonNullable<unknown>>(
  entries: Iterable<readonly [prefix: string, value: T]>,
): (number: string) => T | undefined {
  const values = new Map(entries);
  const shortest = Math.min(...lengthsOf(values.keys()));
  const groups = Map.groupBy(values.keys(), (prefix) => prefix.slice(0, shortest));
  const longestFirst = new Map(
    [...groups].map(([head, prefixes]) => [head, [...lengthsOf(prefixes)].sort((a, b) => b - a)]),
  );
  return (number) => {
    for (const length of longestFirst.get(number.slice(0, shortest)) ?? []) {
      const value = values.get(number.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

function lengthsOf(prefixes: Iterable<string>): Set<number> {
  return new Set(Iterator.from(prefixes).map((prefix) => prefix.length));
}
