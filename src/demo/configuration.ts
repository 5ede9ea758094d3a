/** The configuration of a demo: a file in its own folder, and nothing of the operator's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTypesNamed } from '../carriers/registry.ts';
import { makeConfig } from '../config/load.ts';
import { readSource } from '../config/source.ts';
import type { Config } from '../config/table/schema.ts';
import { findLookupFault } from '../lookups/fault.ts';
import { DEMO_OPTIONS, DEMO_ROUTES } from './carriers.ts';

/** No name: it may resolve to an address that others reach, and browsers share the cookies of `localhost` among its ports. */
export const DEMO_HOST = '127.0.0.1';

/** Writes it into the folder. Of the environment nothing is read: a demo that could send would be none. */
export async function configureDemo(folder: string, port: number): Promise<Config> {
  const options = {
    ...{ host: DEMO_HOST, port, dataDir: join(folder, 'data') },
    // Whoever looks at a demo reads no log; what goes wrong is said.
    log: { level: 'error' },
    // Whoever joins is a new owner.
    alerts: { rules: { ownerNew: false } },
    carriers: DEMO_OPTIONS,
    routes: DEMO_ROUTES,
  };
  const file = join(folder, 'countersign.yaml');
  // JSON is YAML, too.
  writeFileSync(file, `${JSON.stringify(options, null, 2)}\n`, { mode: 0o600 });
  const source = readSource({ COUNTERSIGN_CONFIG: file });
  return makeConfig(source, await loadTypesNamed(source.carrierTypes), findLookupFault);
}
