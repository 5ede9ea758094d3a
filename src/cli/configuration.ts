/** The configuration of this process. */
import { loadAllTypes, loadTypesNamed } from '../carriers/registry.ts';
import type { Environment } from '../config/environment.ts';
import { makeConfig } from '../config/load.ts';
import type { OptionOrigins } from '../config/option-origins.ts';
import { ConfigError } from '../config/problem.ts';
import { readSource } from '../config/source.ts';
import type { Config } from '../config/table/schema.ts';
import { findLookupFault } from '../lookups/fault.ts';

/**
 * Loads the types of carriers that it names, which is quick. If anything is wrong it is gone through again with all types: what is said
 * of a fault may name types that would do. It is read once, since it may be a pipe. A running service says where its options came from
 * `before`.
 *
 * @throws {ConfigError} that lists every problem
 */
export async function readConfiguration(
  before?: OptionOrigins,
  environment: Environment = process.env,
): Promise<Config> {
  const source = readSource(environment, before);
  const named = await loadTypesNamed(source.carrierTypes);
  try {
    return makeConfig(source, named, findLookupFault);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return makeConfig(source, await loadAllTypes(), findLookupFault);
  }
}
