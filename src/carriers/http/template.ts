/** Strings with placeholders, compiled once and filled in per message. */
const PLACEHOLDERS = [
  'to',
  'toDigits',
  'text',
  'code',
  'id',
  'locale',
  'channel',
  'sender',
  'entityId',
  'templateId',
  'receiptUrl',
] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
export type Values = Readonly<Record<Placeholder, string>>;

export interface BodyTemplate {
  readonly uses: readonly Placeholder[];
  fill(values: Values): string;
}

/**
 * Compiles one option's template. `encode` makes a value safe for its place, `encodeLiteral` the text around it. Values
 * are filled in once: a value that looks like a placeholder stays as it is.
 * @throws Error that names the option, for a placeholder that does not exist or is not closed
 */
export function compileTemplate(
  option: string,
  source: string,
  encode: (value: string) => string,
  encodeLiteral: (literal: string) => string = (literal) => literal,
): BodyTemplate {
  // Splitting on a pattern with a group gives literals at even places and names at odd ones.
  const pieces = source.split(/\{\{\s*(.*?)\s*\}\}/s);
  const literals = pieces.filter((_, place) => place % 2 === 0);
  const uses = pieces.filter((_, place) => place % 2 === 1).map((name) => known(option, name));
  if (literals.some((literal) => literal.includes('{{'))) throw new Error(`${option}: {{ is not closed`);
  const [first = '', ...rest] = literals.map(encodeLiteral);
  return {
    uses,
    fill: (values) =>
      uses.reduce((filled, name, place) => filled + encode(values[name]) + (rest[place] ?? ''), first),
  };
}

function known(option: string, name: string): Placeholder {
  const placeholder = PLACEHOLDERS.find((placeholder) => placeholder === name);
  if (placeholder === undefined) {
    throw new Error(`${option}: unknown placeholder {{${name}}}; use one of ${PLACEHOLDERS.join(', ')}`);
  }
  return placeholder;
}
