/** The configuration of this process, with all types of carriers. */
import { CARRIER_TYPES } from '../carriers/registry.ts';
import { loadConfig } from '../config/load.ts';
import type { OptionOrigins } from '../config/option-origins.ts';
import type { Config } from '../config/table/schema.ts';
import { findLookupFault } from '../lookups/fault.ts';

/**
 * A running service says where its options came from `before`.
 *
 * @throws {ConfigError} that lists every problem
 */
export function readConfiguration(before?: OptionOrigins): Config {
  return loadConfig(process.env, CARRIER_TYPES, findLookupFault, before);
}
