/** The tag, or its longest prefix, that something is there for: the lookup of RFC 4647, section 3.4. */
export function longestPrefix(tag: string, isThere: (range: string) => boolean): string | undefined {
  for (let range = tag; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (isThere(range)) return range;
  }
  return undefined;
}
