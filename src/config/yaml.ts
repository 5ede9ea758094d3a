/** Reads YAML into plain values, with the line of each. */
import { isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { Path } from './reader.ts';

export interface YamlText {
  /** The parser's own messages quote the text around the error, which may hold a password: only its codes are shown. */
  readonly faults: readonly { readonly fault: string; readonly line: number; readonly column: number }[];
  /** Undefined if there are faults, or nothing is there. */
  readonly value: unknown;
  lineOf(path: Path): number | undefined;
}

export const YAML_FIX = 'correct the line; quote texts that begin with a character such as * & ! % @ `';

export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found = document.errors.map(({ code, pos: [offset] }) => ({ fault: nameFault(code), offset }));
  // An unquoted text that begins with * is an alias without an anchor. The parser would only throw later.
  visit(document, (_, node) => {
    if (!isAlias(node) || node.resolve(document) !== undefined) return;
    found.push({ fault: 'alias without an anchor', offset: node.range?.[0] ?? 0 });
  });
  const faults = found.map(({ fault, offset }) => {
    const { line, col: column } = lines.linePos(offset);
    return { fault, line, column };
  });
  return {
    faults,
    value: faults.length > 0 ? undefined : (document.toJS({ maxAliasCount: -1 }) ?? undefined),
    lineOf(path) {
      const node = document.getIn(path, true);
      const offset = isNode(node) ? node.range?.[0] : undefined;
      return offset === undefined ? undefined : lines.linePos(offset).line;
    },
  };
}

/** `BAD_INDENT` to `bad indent`. */
function nameFault(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}
