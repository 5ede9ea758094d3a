import type { Config } from '../config/schema.ts';
import type { Store } from './port.ts';
import { openSqliteStore } from './sqlite/store.ts';

/**
 * Opens the store of a configuration. The one that serves asks for it `exclusive`: a second server on the same data
 * would send every code twice. The command line opens it beside a running server.
 */
export function openStore(config: Config, { exclusive }: { readonly exclusive: boolean }): Promise<Store> {
  const { dataDir, limits, retention } = config;
  return openSqliteStore({ dataDir, limits, retention, exclusive });
}
