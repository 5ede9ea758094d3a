/**
 * What passes between the event loop and the store's thread: operations in, one result for each out. Both cross as JSON
 * text, which takes a third of the time of a structured clone; so no Map, no Set, and undefined only as a whole answer.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from './operations.ts';
import { isUnavailable } from './result-code.ts';
import type { TallyBook } from './tally-book.ts';

/** Ends the thread; every other message is a list of calls. */
export const CLOSE = 'close';

export type OperationName = keyof Operations;

export type Call = readonly [name: OperationName, ...args: unknown[]];

export type Result =
  | { readonly value?: unknown }
  | { readonly failure: string; readonly unavailable: boolean };

export interface BatchParts {
  readonly db: DatabaseSync;
  readonly operations: Operations;
  /** Of these operations. */
  readonly book: TallyBook;
}

/** Runs a batch as one transaction, so that all of it costs one fsync. */
export function runBatch(parts: BatchParts, calls: readonly Call[]): Result[] {
  try {
    return inTransaction(parts, () => calls.map((call) => ({ value: run(parts.operations, call) })));
  } catch (error) {
    // One bad operation must not fail its neighbours: run each in a transaction of its own.
    if (calls.length === 1 || isUnavailable(error)) return calls.map(() => failure(error));
    return calls.flatMap((call) => runBatch(parts, [call]));
  }
}

function run(operations: Operations, [name, ...args]: Call): unknown {
  const operation: (...args: never[]) => unknown = operations[name];
  return operation(...(args as never[]));
}

function inTransaction<T>({ db, book }: BatchParts, work: () => T): T {
  // IMMEDIATE takes the write lock at once: a batch that reads first could not be upgraded while the command line writes.
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    book.write();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors (a full disk among them) SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  } finally {
    book.clear();
  }
}

export function failure(error: unknown): Result {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { failure: text, unavailable: isUnavailable(error) };
}
