/** Reads `countersign.yaml` into plain values, with the line of each option. */
import { readFileSync } from 'node:fs';
import { isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { ConfigProblem } from './problem.ts';
import { isGroup, type Path, type RawGroup } from './reader.ts';

export interface ConfigFile {
  readonly isThere: boolean;
  readonly options: RawGroup;
  /** `countersign.yaml:12` for an option in the file. */
  locate(path: Path): string | undefined;
}

/** The environment is written into it, so each is a new one. */
const noFile = (): ConfigFile => ({ isThere: false, options: {}, locate: () => undefined });

/** Reads a file. The default file may be missing and then counts as empty; every other failure is reported. */
export function readConfigFile(
  path: string,
  named: boolean,
  report: (problem: ConfigProblem) => void,
): ConfigFile {
  try {
    return parseConfig(readFileSync(path, 'utf8'), path, report);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' && !named) return noFile();
    const fix = 'correct COUNTERSIGN_CONFIG or the permissions of the file';
    report({ key: path, wrong: `cannot be read (${code})`, expected: 'a readable YAML file', fix });
    return noFile();
  }
}

/** The system's error code of a failed file operation. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The parser's own messages quote the text around the error, which may hold a password: only its codes are shown. */
function parseConfig(text: string, path: string, report: (problem: ConfigProblem) => void): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = document.errors.map(({ code, pos: [offset] }) => ({ fault: nameFault(code), offset }));
  // An unquoted text that begins with * is an alias without an anchor. The parser would only throw later.
  visit(document, (_, node) => {
    if (!isAlias(node) || node.resolve(document) !== undefined) return;
    faults.push({ fault: 'alias without an anchor', offset: node.range?.[0] ?? 0 });
  });
  for (const { fault, offset } of faults) {
    const { line, col } = lines.linePos(offset);
    report({
      key: `${path}:${line}:${col}`,
      wrong: `is not valid YAML (${fault})`,
      expected: 'YAML such as `code: { length: 6 }`',
      fix: 'correct the line; quote texts that begin with a character such as * & ! % @ `',
    });
  }
  if (faults.length > 0) return noFile();
  const options: unknown = document.toJS({ maxAliasCount: -1 }) ?? {};
  if (!isGroup(options)) {
    report({
      key: path,
      wrong: 'holds no options',
      expected: 'lines such as `port: 8443`',
      fix: 'correct it',
    });
    return noFile();
  }
  const locate = (key: Path) => {
    const node = document.getIn(key, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? undefined : `${path}:${lines.linePos(offset).line}`;
  };
  return { isThere: true, options, locate };
}

/** `BAD_INDENT` to `bad indent`. */
function nameFault(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}
