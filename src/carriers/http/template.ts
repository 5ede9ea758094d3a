/** Strings with placeholders, compiled once and filled in per request. */

export interface Template<Name extends string> {
  readonly uses: readonly Name[];
  fill(values: Readonly<Record<Name, string>>): string;
}

/**
 * Compiles one option's template, which may use these placeholders. `encode` makes a value safe for its place, `encodeLiteral` the
 * text around it. Values are filled in once: a value that looks like a placeholder stays as it is.
 * @throws Error that names the option, for a placeholder that does not exist or is not closed
 */
export function compileTemplate<Name extends string>(
  names: readonly Name[],
  option: string,
  source: string,
  encode: (value: string) => string,
  encodeLiteral: (literal: string) => string = (literal) => literal,
): Template<Name> {
  // Splitting on a pattern with a group gives literals at even places and names at odd ones.
  const pieces = source.split(/\{\{\s*(.*?)\s*\}\}/s);
  const literals = pieces.filter((_, place) => place % 2 === 0);
  const uses = pieces.filter((_, place) => place % 2 === 1).map((name) => known(names, option, name));
  if (literals.some((literal) => literal.includes('{{'))) throw new Error(`${option}: {{ is not closed`);
  const [first = '', ...rest] = literals.map(encodeLiteral);
  return {
    uses,
    fill: (values) =>
      uses.reduce((filled, name, place) => filled + encode(values[name]) + (rest[place] ?? ''), first),
  };
}

function known<Name extends string>(names: readonly Name[], option: string, written: string): Name {
  const placeholder = names.find((name) => name === written);
  if (placeholder === undefined) {
    throw new Error(`${option}: unknown placeholder {{${written}}}; use one of ${names.join(', ')}`);
  }
  return placeholder;
}
