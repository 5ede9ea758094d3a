/** JSON values as literals of languages. */

export interface Notation {
  readonly object: readonly [open: string, close: string];
  readonly key: (name: string) => string;
  readonly text: (value: string) => string;
  /** Where they are not the words of JSON. */
  readonly words?: Readonly<Record<string, string>>;
}

export function literal(value: unknown, notation: Notation): string {
  const { object, key, text, words = {} } = notation;
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, notation)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const parts = Object.entries(value).map(([name, part]) => key(name) + literal(part, notation));
  return `${object[0]}${parts.join(', ')}${object[1]}`;
}

export const JSON_NOTATION = {
  object: ['{', '}'],
  key: (name: string) => `${JSON.stringify(name)}: `,
  text: (value: string) => JSON.stringify(value),
} as const;
