/** The store's thread: an fsync here never holds up the event loop that serves requests. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreUnusable } from '../../../core/errors/store-failure.ts';
import type { Progress } from '../../../core/reporting/progress.ts';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../core/seams/random.ts';
import type { StoreRules } from '../../port.ts';
import { describeEmptied, hasNoBytes, hasNoTables } from '../file/emptied.ts';
import { lockFolder, storeFile } from '../file/folder.ts';
import { forgetPart, makeStoreFile } from '../file/new-store.ts';
import { migrate, requireCurrent } from '../schema/migrate.ts';
import { TallyBook } from '../statistics/tally-book.ts';
import { type Call, CLOSE, READY, runBatch } from './batch.ts';
import { createOperations } from './operations.ts';

export interface WorkerOptions extends StoreRules {
  readonly dataDir: string;
  /** Owns the data directory: refuses a second owner, and takes over all leases of the one before. */
  readonly exclusive: boolean;
  /** Rejects with StoreAbsent, and writes nothing, where it would make a new one. */
  readonly mustExist?: boolean | undefined;
  /** Rejects with StoreUnusable, and writes nothing, where it would upgrade one. */
  readonly asIs?: boolean | undefined;
}

const { dataDir, exclusive, mustExist = false, asIs = false, ...rules } = workerData as WorkerOptions;
const port = parentPort;
if (port === null) throw new Error('runs only as a worker thread');

const lock = exclusive ? lockFolder(dataDir) : undefined;
if (exclusive && lock === undefined) {
  throw new StoreUnusable(`another process serves from ${dataDir}; stop it, or set another dataDir`);
}
const file = storeFile(dataDir);
const report = (progress: Progress) => port.postMessage(progress);
if (exclusive) forgetPart(file);
if (!mustExist && !existsSync(file)) makeStoreFile(file, { exclusive, fill: (db) => migrate(db, report) });
// Fails with the path if we may not write, and unlike SQLite makes no file.
closeSync(openSync(file, 'r+'));
if (hasNoBytes(file)) throw new StoreUnusable(describeEmptied(file));
const db = new DatabaseSync(file, { timeout: 5_000, defensive: true });
if (hasNoTables(db)) throw new StoreUnusable(describeEmptied(file));
if (asIs) requireCurrent(db);
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -4096;
  PRAGMA journal_size_limit = 134217728;
  PRAGMA wal_autocheckpoint = 16000;
`);
if (!asIs) migrate(db, report);
const book = new TallyBook(db);
const operations = createOperations(db, rules, book, { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });
if (exclusive) operations.releaseAllLeases();
port.postMessage(READY);

/** Group commit: the calls of a message are one batch (call-thread.ts). */
port.on('message', (message: string) => {
  if (message !== CLOSE) {
    const calls: Call[] = JSON.parse(message);
    port.postMessage(JSON.stringify(runBatch({ db, operations, book }, calls)));
    return;
  }
  db.close();
  lock?.close();
  port.close();
});
