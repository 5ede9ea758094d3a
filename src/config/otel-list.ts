/** Lists of names and values as OpenTelemetry writes them into one variable: `name=value,other=value`, percent-encoded. */

const NAMES = { header: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, attribute: /^[^\s=,;]+$/ };
const VALUES = { header: /^[\t\x20-\x7e]*$/, attribute: /^[^\p{Cc}]*$/u };

/** @throws {RangeError} that holds nothing of the text, which may be a secret. */
export function parseOtelList(text: string, kind: keyof typeof NAMES): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((member): [string, string][] => {
    if (member.trim() === '') return [];
    const [name, ...rest] = member.split('=');
    const value = decode(rest.join('=').trim());
    const known = decode(name?.trim() ?? '');
    if (rest.length === 0 || !NAMES[kind].test(known) || !VALUES[kind].test(value))
      throw new RangeError(`not a list of ${kind}s`);
    return [[kind === 'header' ? known.toLowerCase() : known, value]];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('not percent-encoded');
  }
}
