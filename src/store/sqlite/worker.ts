/** The store's thread: an fsync here never holds up the event loop that serves requests. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Call, runBatch } from './batch.ts';
import { migrate } from './migrate.ts';
import { prepareOperations, type StoreRules } from './operations.ts';

export interface WorkerOptions extends StoreRules {
  readonly dataDir: string;
  /** Owns the data directory: refuses a second owner, and takes over every lease of the one before. */
  readonly exclusive: boolean;
}

const { dataDir, exclusive, ...rules } = workerData as WorkerOptions;
const port = parentPort;
if (port === null) throw new Error('runs as a worker thread only');

const lock = exclusive ? lockFolder() : undefined;
const db = new DatabaseSync(privateFile('countersign.db'), { timeout: 5_000, defensive: true });
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA secure_delete = FAST;
  PRAGMA cache_size = -8192;
  PRAGMA journal_size_limit = 134217728;
  PRAGMA wal_autocheckpoint = 16000;
`);
migrate(db);
const operations = prepareOperations(db, rules);
if (exclusive) operations.releaseAllLeases();
port.postMessage('ready');

port.on('message', (message: string) => {
  if (message === 'close') {
    db.close();
    lock?.close();
    port.close();
  } else {
    const calls: Call[] = JSON.parse(message);
    port.postMessage(JSON.stringify(runBatch(db, operations, calls)));
  }
});

/** A lock that the kernel gives back when the process dies, however it dies: an open exclusive transaction. */
function lockFolder(): DatabaseSync {
  const lock = new DatabaseSync(privateFile('serve.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    throw new Error(`another process serves from ${dataDir}; stop it, or set another dataDir`);
  }
  return lock;
}

/** Makes the file readable by its owner alone before SQLite does otherwise; its companions take its mode over. */
function privateFile(name: string): string {
  const path = join(dataDir, name);
  closeSync(openSync(path, 'a', 0o600));
  return path;
}
