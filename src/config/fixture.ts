/** For tests: configurations with all types of carriers, also from a text instead of a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { findLookupFault } from '../lookups/fault.ts';
import type { Environment } from './environment.ts';
import { makeConfig } from './load.ts';
import type { OptionOrigins } from './option-origins.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import { readSource } from './source.ts';
import type { Config } from './table/schema.ts';

/** That of an environment, and of the file that it names. Throws as `makeConfig` does. */
export function loadConfig(environment: Environment, before?: OptionOrigins): Config {
  return makeConfig(readSource(environment, before), CARRIER_TYPES, findLookupFault);
}

/** The configuration of a YAML text, which may hold nothing, and variables without their prefix. */
export function loadText(yaml: string, variables: Record<string, string> = {}): Config {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  try {
    const file = join(folder, 'countersign.yaml');
    writeFileSync(file, yaml || '{}');
    const environment = Object.entries(variables).map(([name, value]) => [`COUNTERSIGN_${name}`, value]);
    const settings = { COUNTERSIGN_CONFIG: file, ...Object.fromEntries(environment) };
    return loadConfig(settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is wrong with it, with keys without their place; empty if nothing is. */
export function findProblems(yaml: string, variables?: Record<string, string>): ConfigProblem[] {
  try {
    loadText(yaml, variables);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({ ...problem, key: problem.key.replace(/ \(.*\)$/, '') }));
  }
}

/** The only problem, as `key: wrong; fix`. */
export function findProblem(yaml: string, variables?: Record<string, string>): string {
  const problems = findProblems(yaml, variables).map(({ key, wrong, fix }) => `${key}: ${wrong}; ${fix}`);
  if (problems.length !== 1) throw new Error(`expected one problem, got ${JSON.stringify(problems)}`);
  return problems[0] ?? '';
}
