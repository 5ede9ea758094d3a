/** What becomes of a list that somebody pastes into one field. */

interface Pasted {
  /** What stood in the field, of which a part may have been selected. */
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Commas, spaces or line breaks stand between what has no spaces of its own. */
const BETWEEN = /[\s,;]+/;

/** What the field holds then, as the items of a list. */
export const itemsAfterPaste = ({ value, from, to, text }: Pasted, between = BETWEEN): string[] =>
  `${value.slice(0, from)}${text}${value.slice(to)}`
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A name and a value on each line, as a configuration or a spreadsheet has them: `DE: 0.08`. None if there are no values. */
export function pairsPasted(text: string): (readonly [name: string, value: string])[] {
  return text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([^:\t]+?)\s*[:\t]\s*(\S.*?),?\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[unquote(name), unquote(value)] as const];
  });
}

const unquote = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');
