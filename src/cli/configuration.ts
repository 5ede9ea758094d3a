/** The configuration of this process, with the carriers that there are. */
import { CARRIER_TYPES } from '../carriers/registry.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';

/** @throws {ConfigError} listing every problem */
export function readConfiguration(): Config {
  return loadConfig(process.env, CARRIER_TYPES);
}
