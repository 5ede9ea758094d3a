/** Reads YAML into plain values, with the line of each. */
import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Path } from './reader.ts';

interface YamlFault {
  readonly fault: string;
  readonly fix: string;
  readonly line: number;
  readonly column: number;
}

export interface YamlText {
  /** The parser's own messages quote the text around the error, which may hold a password: only its codes are shown. */
  readonly faults: readonly YamlFault[];
  /** Undefined if there are faults, or nothing is there. */
  readonly value: unknown;
  /** That of its name; of an entry of a list, where it begins. */
  lineOf(path: Path): number | undefined;
}

const FIX = 'correct the line; quote texts that begin with a character such as * & ! % @ `';

export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found = document.errors.map(({ code, pos: [offset] }) =>
    code === 'DUPLICATE_KEY'
      ? { fault: nameFault(code) + keyAt(text, offset), fix: 'join the two, or remove one', offset }
      : { fault: nameFault(code), fix: FIX, offset },
  );
  // An unquoted text that begins with * is an alias without an anchor. The parser would only throw later.
  visit(document, (place, node) => {
    const fault =
      isAlias(node) && node.resolve(document) === undefined
        ? 'alias without an anchor'
        : isScalar(node) && typeof node.value === 'symbol' && place !== 'key'
          ? 'merge key in place of a value'
          : undefined;
    if (fault !== undefined && isNode(node)) found.push({ fault, fix: FIX, offset: node.range?.[0] ?? 0 });
  });
  const faults = found.map(({ offset, ...fault }) => {
    const { line, col: column } = lines.linePos(offset);
    return { ...fault, line, column };
  });
  return {
    faults,
    value: faults.length > 0 ? undefined : (document.toJS({ maxAliasCount: -1 }) ?? undefined),
    lineOf(path) {
      const group = document.getIn(path.slice(0, -1), true);
      const entry = isMap(group)
        ? group.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
        : undefined;
      const node = entry?.key ?? document.getIn(path, true);
      const offset = isNode(node) ? node.range?.[0] : undefined;
      return offset === undefined ? undefined : lines.linePos(offset).line;
    },
  };
}

/** ` accounts`, if it looks like a name. */
function keyAt(text: string, offset: number): string {
  const [, key] = /^["']?([\w.@+-]{1,64})["']?\s*:/.exec(text.slice(offset, offset + 80)) ?? [];
  return key === undefined ? '' : ` ${key}`;
}

/** `BAD_INDENT` to `bad indent`. */
function nameFault(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}
