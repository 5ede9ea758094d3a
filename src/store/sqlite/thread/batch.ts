/**
 * What passes between the event loop and the store's thread: operations in, one result for each out. Both cross as JSON
 * text, which takes a third of the time of a structured clone; so no Map, no Set, and undefined only as a whole answer.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isReading as isReadingStep } from '../../../core/sql/records.ts';
import type { TallyBook } from '../statistics/tally-book.ts';
import { BrokenCommit, packFailure, type SqliteFailure } from './failure.ts';
import type { Operations } from './operations.ts';
import { isBroken, isFileUnavailable, isFull } from './result-code.ts';

/** The first text of a thread, unless it failed to start. */
export const READY = 'ready';

/** Ends the thread; every other message is a list of calls. */
export const CLOSE = 'close';

type OperationName = keyof Operations;

export type Call = readonly [name: OperationName, ...args: unknown[]];

export type Result = { readonly value?: unknown } | { readonly failure: SqliteFailure };

export interface BatchParts {
  readonly db: DatabaseSync;
  readonly operations: Operations;
  /** The counts of these operations. */
  readonly book: TallyBook;
}

/** Runs a batch as one transaction, for the price of one fsync. */
export function runBatch(parts: BatchParts, calls: readonly Call[]): Result[] {
  try {
    return inTransaction(parts, () => calls.map((call) => ({ value: run(parts.operations, call) })));
  } catch (error) {
    // One bad operation must not fail its neighbours: run each in a transaction of its own.
    if (calls.length === 1 || error instanceof BrokenCommit || isFileUnavailable(error)) {
      const failed = (call: Call) => ({ failure: packFailure(isReading(call) ? undoneBy(error) : error) });
      const reading = calls.filter(isReading);
      const isMixed = reading.length > 0 && reading.length < calls.length;
      if (!isMixed || !isFull(error)) return calls.map(failed);
      // What only reads needs no room on the disk.
      const answers = runBatch(parts, reading);
      return calls.map((call) => (isReading(call) && answers.shift()) || failed(call));
    }
    return calls.flatMap((call) => runBatch(parts, [call]));
  }
}

const READING: ReadonlySet<OperationName> = new Set([
  ...(['findReplay', 'findLive', 'keysRevision', 'budgetUse'] as const),
  ...(['depth', 'oldestWaiting', 'list', 'dueMessages', 'eventSubject'] as const),
]);

/** Whatever becomes of the transaction, nothing was done by it. */
function isReading([name, ...args]: Call): boolean {
  if (name !== 'transact') return READING.has(name);
  const [steps] = args as Parameters<Operations['transact']>;
  return steps.every(isReadingStep);
}

const undoneBy = (error: unknown): unknown => (error instanceof BrokenCommit ? error.cause : error);

function run(operations: Operations, [name, ...args]: Call): unknown {
  const operation: (...args: never[]) => unknown = operations[name];
  return operation(...(args as never[]));
}

function inTransaction<T>({ db, book, operations }: BatchParts, work: () => T): T {
  // IMMEDIATE takes the write lock at once: a transaction that begins by reading could not write after the command line did.
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    book.write();
    commit(db);
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    operations.forgetEndpoints();
    throw error;
  } finally {
    book.clear();
  }
}

function commit(db: DatabaseSync): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    throw isBroken(error) ? new BrokenCommit(error.message, { cause: error }) : error;
  }
}
