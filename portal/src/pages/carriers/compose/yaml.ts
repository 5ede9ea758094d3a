/** Writes entries of the configuration, one value on each line, so that a line of one writing is the same line of another. */

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** An option with its value, a group of options, or only a comment. */
export type Entry =
  | { readonly name: string; readonly value: Value }
  | { readonly name: string; readonly entries: readonly Entry[] }
  | { readonly comment: string };

const INDENT = '  ';

/** The lines of a group. */
export function writeEntries(entries: readonly Entry[], depth: number): string[] {
  const indent = INDENT.repeat(depth);
  return entries.flatMap((entry) => {
    if ('comment' in entry) return [`${indent}# ${entry.comment}`];
    const name = writeText(entry.name);
    if ('value' in entry) return [`${indent}${name}: ${writeValue(entry.value)}`];
    const inner = writeEntries(entry.entries, depth + 1);
    const isEmpty = entry.entries.every((each) => 'comment' in each);
    return [`${indent}${name}:${isEmpty ? ' {}' : ''}`, ...inner];
  });
}

/** The lines of one entry of a list. */
export function writeItem(entries: readonly Entry[], depth: number): string[] {
  const [first = '', ...rest] = writeEntries(entries, depth + 1);
  return [`${INDENT.repeat(depth)}- ${first.trimStart()}`, ...rest];
}

function writeValue(value: Value): string {
  if (typeof value === 'string') return writeText(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, inner]) => `${writeText(name)}: ${writeValue(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Needs no quotes anywhere. */
const PLAIN = /^[A-Za-z/][\w./-]*$/;
/** Words that mean something else to some readers of YAML. */
const MEANT = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
/** What a line must not hold as it is, and JSON would let it. */
const UNSAFE = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Text in JSON is text in YAML. */
function writeText(text: string): string {
  if (PLAIN.test(text) && !MEANT.test(text)) return text;
  return JSON.stringify(text).replace(
    UNSAFE,
    (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
