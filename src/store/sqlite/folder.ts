/** The data folder of an embedded store: which file holds what, who may read it, and who owns it. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const storeFile = (dataDir: string): string => join(dataDir, 'countersign.db');

/** Makes the file readable by its owner alone before SQLite does otherwise; its companions take its mode over. */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

/**
 * A lock that the kernel gives back when the process dies, however it dies: an open exclusive transaction. Undefined
 * when another process holds it.
 */
export function lockFolder(dataDir: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(privateFile(join(dataDir, 'serve.lock')), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    return undefined;
  }
}
