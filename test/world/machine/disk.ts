/**
 * The embedded store in this process: the real operations on a database in memory, without thread and file. It outlives the process
 * that uses it, and can be told to fail around the next commit.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type { Random } from '../../../src/core/seams/random.ts';
import type { Store, StoreRules } from '../../../src/store/port.ts';
import { migrate } from '../../../src/store/sqlite/schema/migrate.ts';
import { TallyBook } from '../../../src/store/sqlite/statistics/tally-book.ts';
import { storeOver } from '../../../src/store/sqlite/store.ts';
import { type Call, type Result, runBatch } from '../../../src/store/sqlite/thread/batch.ts';
import { packFailure, unpackFailure } from '../../../src/store/sqlite/thread/failure.ts';
import { createOperations } from '../../../src/store/sqlite/thread/operations.ts';
import { createQueries } from '../../../src/store/sqlite/thread/queries.ts';
import type { Fault } from '../command.ts';

interface Waiter {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** What a process has of the disk. */
export interface OpenDisk {
  readonly store: Store | Promise<Store>;
  /** Does what is waiting; whether there was anything. */
  flush(): boolean | Promise<boolean>;
  /** The process is gone: nobody is answered any more. */
  drop(): void;
}

function databaseOf(image: Uint8Array | undefined): DatabaseSync {
  const db = new DatabaseSync(':memory:', { defensive: false });
  if (image !== undefined) db.deserialize(image);
  // Also sets how the connection works.
  migrate(db);
  return db;
}

export class Disk implements Disposable {
  readonly db: DatabaseSync;
  fault: Fault | undefined;
  /** So many commits pass before it. */
  faultAfter = 0;
  /** Whether no commit that changes something is taken. */
  isFull = false;
  readonly #rules: StoreRules;
  readonly #nextDue: StatementSync;
  readonly #changes: StatementSync;
  #changesBefore = 0;
  /** What the next commit meets. */
  #met: { readonly fault: Fault; readonly onCrash: () => void } | undefined;

  /** As `image` has it, or empty. */
  constructor(rules: StoreRules, image?: Uint8Array) {
    this.#rules = rules;
    this.db = databaseOf(image);
    const exec = this.db.exec.bind(this.db);
    this.db.exec = (sql) => this.#execute(exec, sql);
    this.#changes = this.db.prepare('SELECT total_changes() AS changes');
    this.#nextDue = this.db.prepare(`SELECT min(due) AS due FROM (
    SELECT min(due_at) AS due FROM delivery WHERE due_at > :now
    UNION ALL SELECT min(fallback_at) FROM delivery WHERE fallback_at > :now
    UNION ALL SELECT min(expires_at) FROM verification WHERE expires_at > :now
    UNION ALL SELECT min(due_at) FROM webhook_message WHERE due_at > :now)`);
  }

  /** All that is on it, to be the image of another one: quicker than to make it anew. */
  copy(): Uint8Array {
    return this.db.serialize();
  }

  /** `onCrash` hears that the process is to end in this moment. */
  open(clock: Clock, random: Random, onCrash: () => void): OpenDisk {
    const { db } = this;
    const book = new TallyBook(db);
    const operations = createOperations(db, this.#rules, book, { clock, random });
    const queries = createQueries(db, this.#rules.retention);
    operations.releaseAllLeases();
    let [calls, callers]: [Call[], Waiter[]] = [[], []];
    let questions: (() => void)[] = [];
    let isGone = false;

    const settle = (waiter: Waiter, result: Result | undefined) => {
      if (isGone || result === undefined) return;
      if ('failure' in result) waiter.reject(unpackFailure(result.failure, 'the world'));
      else waiter.resolve(result.value as never);
    };
    return {
      store: storeOver({
        clock,
        random,
        // Calls and answers are text on their way, as they are between threads.
        write: (name, args) =>
          new Promise((resolve, reject) => {
            calls.push(JSON.parse(JSON.stringify([name, ...args])));
            callers.push({ resolve: resolve as (value: never) => void, reject });
          }),
        read: (name, args) =>
          new Promise((resolve, reject) => {
            questions.push(() => {
              const query: (...args: never[]) => unknown = queries[name];
              const waiter = { resolve: resolve as (value: never) => void, reject };
              try {
                settle(waiter, asText({ value: query(...(args as readonly unknown[] as never[])) }));
              } catch (error) {
                settle(waiter, { failure: packFailure(error) });
              }
            });
          }),
        pending: () => callers.length,
        close: async () => {},
      }),
      flush: () => {
        if (isGone || calls.length + questions.length === 0) return false;
        const [batch, waiting, asked] = [calls, callers, questions];
        [calls, callers, questions] = [[], [], []];
        const results =
          batch.length === 0
            ? []
            : this.#run(batch, () => runBatch({ db, operations, book }, batch), onCrash);
        for (const [i, waiter] of waiting.entries()) settle(waiter, asText(results[i]));
        for (const ask of asked) ask();
        return true;
      },
      drop: () => {
        isGone = true;
      },
    };
  }

  /** When something is due that waits in the store, in Unix ms; infinite if nothing is. */
  nextDue(now: number): number {
    const due = this.#nextDue.get({ now })?.due ?? null;
    return due === null ? Number.POSITIVE_INFINITY : Number(due);
  }

  [Symbol.dispose](): void {
    this.db.close();
  }

  /** A fault waits for a batch that changes something, and is met when it is to be committed. */
  #run(batch: readonly Call[], run: () => Result[], onCrash: () => void): Result[] {
    const isAsked = this.fault !== undefined && batch.some(([name]) => !LOOKING.has(name));
    if (isAsked && this.faultAfter > 0) this.faultAfter -= 1;
    else if (isAsked && this.fault !== undefined) {
      this.#met = { fault: this.fault, onCrash };
      this.fault = undefined;
    }
    return run();
  }

  /** Runs SQL as the database does, but for the commit that meets a fault. */
  #execute(exec: (sql: string) => void, sql: string): void {
    const met = sql === 'COMMIT' ? this.#met : undefined;
    if (met === undefined) {
      if (this.isFull && sql.startsWith('BEGIN')) this.#changesBefore = this.#changesNow();
      if (this.isFull && sql === 'COMMIT' && this.#changesNow() > this.#changesBefore) throw failure(FULL);
      exec(sql);
      return;
    }
    this.#met = undefined;
    const { fault, onCrash } = met;
    const isDone = fault === 'committed unheard' || fault === 'crash after';
    if (isDone) exec(sql);
    if (fault.startsWith('crash')) onCrash();
    throw failure(isDone ? IO_ERROR : FULL);
  }

  #changesNow = () => Number(this.#changes.get()?.changes);
}

/** https://www.sqlite.org/rescode.html */
const IO_ERROR = { errcode: 10, message: 'disk I/O error' };
const FULL = { errcode: 13, message: 'database or disk is full' };
const failure = ({ errcode, message }: typeof FULL) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });

/** Operations that change nothing as a rule, and that nobody asks for. */
const LOOKING: ReadonlySet<string> = new Set([
  ...[
    'claim',
    'depth',
    'oldestWaiting',
    'dueMessages',
    'tellExpired',
    'keysRevision',
    'newestBefore',
    'purge',
    'clampFutureTimes',
    'check',
  ],
  ...['noteCarrierStates', 'renew', 'findReplay', 'findLive', 'budgetUse', 'list', 'eventSubject'],
]);

function asText<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
