/** Reads `countersign.yaml` into plain values, with the line of each option. */
import { readFileSync } from 'node:fs';
import type { ConfigProblem } from './problem.ts';
import { isGroup, type Path, type RawGroup } from './reader.ts';
import { parseYaml } from './yaml.ts';

export interface ConfigFile {
  readonly isThere: boolean;
  /** It sets something. */
  readonly hasOptions: boolean;
  readonly options: Readonly<RawGroup>;
  /** `countersign.yaml:12` for an option in the file. */
  locate(path: Path): string | undefined;
}

const NO_FILE: ConfigFile = {
  isThere: false,
  hasOptions: false,
  options: {},
  locate: () => undefined,
};

/** The file is at `place`, and called `path`. The default file may be missing; every other failure is reported. */
export function readConfigFile(
  path: string,
  place: string,
  named: boolean,
  report: (problem: ConfigProblem) => void,
): ConfigFile {
  try {
    return parseConfig(readFileSync(place, 'utf8'), path, report);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' && !named) return NO_FILE;
    const fix = 'correct COUNTERSIGN_CONFIG or the permissions of the file';
    report({ key: path, wrong: `cannot be read (${code})`, expected: 'a readable YAML file', fix });
    return NO_FILE;
  }
}

/** The system's error code of a failed file operation. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function parseConfig(text: string, path: string, report: (problem: ConfigProblem) => void): ConfigFile {
  const { faults, value, lineOf } = parseYaml(text);
  for (const { fault, fix, line, column } of faults) {
    report({
      key: `${path}:${line}:${column}`,
      wrong: `is not valid YAML (${fault})`,
      fix,
    });
  }
  if (faults.length > 0) return NO_FILE;
  // A full disk and a deployment that was cut short leave an empty file. Codes of live keys would go to the simulator. One with
  // comments alone was written by somebody.
  const isEmpty = text.trim() === '';
  const options = isEmpty ? undefined : (value ?? {});
  if (!isGroup(options)) {
    report({
      key: path,
      wrong: isEmpty ? 'the file is empty' : 'holds no options',
      expected: 'lines such as `port: 8443`',
      fix: isEmpty ? 'write them again; `{}` says that there are none' : 'correct it',
    });
    return NO_FILE;
  }
  const locate = (key: Path) => {
    const line = lineOf(key);
    return line === undefined ? undefined : `${path}:${line}`;
  };
  return { isThere: true, hasOptions: setsAny(options), options, locate };
}

/** A section without a value sets nothing. */
function setsAny(value: unknown): boolean {
  return isGroup(value) ? Object.values(value).some(setsAny) : value !== undefined && value !== null;
}
