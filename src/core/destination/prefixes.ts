/** What is known by the beginnings of numbers. */

/**
 * Prepares a look-up by number: the longest prefix that the number begins with decides. It costs one look in a map for each
 * length that prefixes have, however many there are.
 */
export function compilePrefixes<T extends NonNullable<unknown>>(
  entries: Iterable<readonly [prefix: string, value: T]>,
): (number: string) => T | undefined {
  const values = new Map(entries);
  const lengths = [...new Set([...values.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  return (number) => {
    for (const length of lengths) {
      const value = values.get(number.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
