/** JSON values as literals of languages. */

export interface Notation {
  readonly object: readonly [open: string, close: string];
  readonly key: (name: string) => string;
  readonly text: (value: string) => string;
  /** Where they are not the words of JSON. */
  readonly words?: Readonly<Record<string, string>>;
  /** What each level is indented by. */
  readonly indent: string;
}

/** What is longer stands on lines of its own: the column of the samples is narrow. */
const LONGEST_LINE = 60;

/** `before` is how far its line is indented; `taken` is how much of the line stands before it. */
export function literal(value: unknown, notation: Notation, before = '', taken = 0): string {
  const { object, key, text, words = {}, indent } = notation;
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : object;
  const parts = (within: string) =>
    Array.isArray(value)
      ? value.map((item) => literal(item, notation, within))
      : Object.entries(value).map(
          ([name, part]) => key(name) + literal(part, notation, within, within.length + key(name).length),
        );
  const line = `${open}${parts('').join(', ')}${close}`;
  if (taken + line.length <= LONGEST_LINE) return line;
  const within = before + indent;
  const lines = parts(within).map((part) => `${within}${part}`);
  return [open.trim(), lines.join(',\n'), before + close.trim()].join('\n');
}

export const JSON_NOTATION = {
  object: ['{', '}'],
  key: (name: string) => `${JSON.stringify(name)}: `,
  text: (value: string) => JSON.stringify(value),
  indent: '  ',
} as const;
