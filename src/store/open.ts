import { tellsRecycled } from '../config/table/lookup-options.ts';
import type { Config } from '../config/table/schema.ts';
import type { StoreDamaged } from '../core/errors/store-failure.ts';
import type { ReportProgress } from '../core/reporting/progress.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Log } from '../core/sending/carrier.ts';
import type { Store } from './port.ts';

interface OpeningPorts {
  /** This machine's. */
  readonly machine?: Clock;
  readonly exclusive: boolean;
  /** Rejects with StoreAbsent, and writes nothing, where it would make a new one. */
  readonly mustExist?: boolean;
  /** Rejects with StoreUnusable, and writes nothing, where it would upgrade one. */
  readonly asIs?: boolean;
  readonly onDamage?: (damage: StoreDamaged) => void;
  /** Hears of a migration. */
  readonly onProgress?: ReportProgress;
  /** Hears of servers of a database that are not used. */
  readonly log?: Log;
}

/**
 * Opens the store of a configuration. A server opens it `exclusive`: a second one on the same data folder would send every
 * code twice. The command line opens it beside a running server. A database is shared and has no owner.
 */
export async function openStore(config: Config, ports: OpeningPorts): Promise<Store> {
  const open = await loadStore(config);
  return open(ports);
}

/** Loads the store of a configuration, and no other: the service starts faster and stays smaller. What comes back opens it at once. */
export async function loadStore({
  dataDir,
  limits,
  retention,
  store,
  lookups,
}: Config): Promise<(ports: OpeningPorts) => Promise<Store>> {
  if (store.url === undefined) {
    const { openSqliteStore } = await import('./sqlite/store.ts');
    return ({ machine, exclusive, mustExist, asIs, onDamage, onProgress }) =>
      openSqliteStore({
        ...{ machine, dataDir, limits, retention, exclusive, mustExist, asIs, onDamage, onProgress },
      });
  }
  const { parseDatabaseAddress } = await import('../options/database-address.ts');
  const { openPostgresStore } = await import('./postgres/store.ts');
  const parsed = parseDatabaseAddress(store.url);
  if (!parsed.ok) throw new Error(`store.url ${parsed.problem.wrong}`);
  const { address } = parsed;
  const recallsConfirmed = Object.values(lookups).some(tellsRecycled);
  return ({ machine, mustExist, asIs, onProgress, log }) =>
    openPostgresStore({
      ...{ address, machine, limits, retention, mustExist, asIs, onProgress, log, recallsConfirmed },
    });
}
