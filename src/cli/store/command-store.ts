/** The store that a command works on: always named, and never created by accident. */
import { resolve } from 'node:path';
import type { Config } from '../../config/table/schema.ts';
import { StoreAbsent } from '../../core/errors/store-failure.ts';
import { parseDatabaseAddress } from '../../options/database-address.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/port.ts';
import { storeFile } from '../../store/sqlite/file/store-file.ts';
import { CommandFailure } from '../failure.ts';
import { withProgress } from '../progress.ts';

/** `PostgreSQL db.example.com/countersign` or `/var/lib/countersign/countersign.db`; without user and password. */
export function nameStore({ dataDir, store: { url } }: Config): string {
  if (url === undefined) return resolve(storeFile(dataDir));
  const parsed = parseDatabaseAddress(url);
  return `PostgreSQL ${parsed.ok ? parsed.address.shown : '(address unknown)'}`;
}

/** Says on standard error which store it is: without the service's environment it may be the wrong one. */
export function announceStore(config: Config): void {
  console.error(`store: ${nameStore(config)}`);
}

/**
 * Opens it, even beside a running service. If there is none, creating one would look like success, but print a key that
 * the service does not know. Only the service creates one, or a command that was told to. And only the service upgrades one:
 * below an older one that runs, a command would end what that one can do.
 */
async function openCommandStore(config: Config, init: boolean): Promise<Store> {
  announceStore(config);
  const { dataDir, store } = config;
  try {
    return await withProgress((onProgress) =>
      openStore(config, { exclusive: false, mustExist: !init, asIs: true, onProgress }),
    );
  } catch (error) {
    if (!(error instanceof StoreAbsent)) throw error;
    throw new CommandFailure(describeNoStore(store.url === undefined ? resolve(dataDir) : nameStore(config)));
  }
}

/** Lends the store that `openCommandStore` opens, and closes it. */
export async function withStore<T>(
  config: Config,
  use: (store: Store) => Promise<T>,
  { init = false } = {},
): Promise<T> {
  const store = await openCommandStore(config, init);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Also used by commands that do not open the store. */
export function describeNoStore(place: string): string {
  return `there is no store in ${place}; run this with the configuration and the environment of the service (COUNTERSIGN_CONFIG, COUNTERSIGN_DATA_DIR, COUNTERSIGN_STORE_URL), or start the service first, which creates one`;
}

/** For commands that work only on files. */
export function refuseDatabase(config: Config, instead: string): void {
  if (config.store.url === undefined) return;
  throw new CommandFailure(
    `store.url is set: this command does not work on ${nameStore(config)}; ${instead} (docs/backup.md)`,
  );
}
