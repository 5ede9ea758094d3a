/** Where a configuration is written: the file and the environment, before the types of its carriers are known. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SIMULATOR } from '../core/sending/carrier.ts';
import type { Environment } from './environment.ts';
import { type ConfigFile, readConfigFile } from './file.ts';
import type { OptionOrigins } from './option-origins.ts';
import type { ConfigProblem } from './problem.ts';
import { isGroup } from './reader.ts';

export interface ConfigSource {
  readonly environment: Environment;
  /** What relative paths begin at. */
  readonly folder: string;
  /** The path of the file as the operator knows it. */
  readonly path: string;
  /** The whole path of the file. */
  readonly place: string;
  readonly file: ConfigFile;
  /** What the carriers say of their types, and the simulator's, which is always there. No variable can set one. */
  readonly carrierTypes: readonly unknown[];
  readonly problems: readonly ConfigProblem[];
  /** The text of a file that an option names. It is read once, since it may be a pipe. Throws the system's error. */
  readText(path: string): string;
}

const DEFAULT_FILE = './countersign.yaml';

/**
 * Reads the file that COUNTERSIGN_CONFIG names, or `./countersign.yaml` if there is one. A service that reads it again says where its
 * options came from `before`: then the same paths are read, wherever the working directory is by now, and a file that set options must
 * still set some.
 */
export function readSource(environment: Environment, before?: OptionOrigins): ConfigSource {
  const problems: ConfigProblem[] = [];
  const named = environment.COUNTERSIGN_CONFIG || undefined;
  const path = named ?? DEFAULT_FILE;
  const folder = before?.folder ?? process.cwd();
  const place = resolve(folder, path);
  const file = readConfigFile(path, place, named !== undefined, (problem) => void problems.push(problem));
  if (before?.hasOptions && !file.hasOptions && problems.length === 0)
    problems.push(vanished(path, file.isThere));
  const texts = new Map<string, string>();
  const readText = (path: string): string => {
    const place = resolve(folder, path);
    const text = texts.get(place) ?? readFileSync(place, 'utf8');
    texts.set(place, text);
    return text;
  };
  const carrierTypes = typesIn(file.options.carriers);
  return { environment, folder, path, place, file, carrierTypes, problems, readText };
}

/** Without a file everything goes to the simulator, to all countries: no running service takes that from a missing file. */
function vanished(path: string, isThere: boolean): ConfigProblem {
  return {
    key: path,
    wrong: isThere ? 'holds no options any more' : 'is gone',
    expected: 'the options that it held, or others',
    fix: 'put it back; if you want the defaults, restart the service',
  };
}

function typesIn(carriers: unknown): unknown[] {
  const all = isGroup(carriers) ? Object.values(carriers) : [];
  return [SIMULATOR, ...all.map((carrier) => (isGroup(carrier) ? carrier.type : undefined))];
}
