/** The data folder of an embedded store: which file holds what, who may read it, and who owns it. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../../core/errors/store-failure.ts';
import { isBusy, isDamage } from '../thread/result-code.ts';

export { storeFile } from './store-file.ts';

/** Makes the file readable by its owner only, before SQLite makes it; SQLite's other files copy its mode. */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

/**
 * An open exclusive transaction, as a lock that the kernel releases however the process ends. Undefined when another
 * process holds it.
 */
export function lockFolder(dataDir: string): DatabaseSync | undefined {
  const path = join(dataDir, 'serve.lock');
  const lock = new DatabaseSync(privateFile(path), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    if (!isDamage(error)) throw error;
    throw new StoreUnusable(
      `${path} is not one of our locks (${error.message}); remove it while no service runs`,
    );
  }
}
