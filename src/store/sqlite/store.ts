import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { NewApiKey } from '../../core/api-key.ts';
import type { ReceiptRecord, Settlement } from '../../core/delivery.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import type { Step } from '../../core/records.ts';
import type { Guess, NewVerification } from '../../core/verification.ts';
import type { Store } from '../port.ts';
import { type Call, CLOSE, type OperationName, type Result } from './batch.ts';
import type { Operations } from './operations.ts';
import type { WorkerOptions } from './worker.ts';

interface PendingCall extends Call {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A turn of the loop may bring hundreds of requests: the thread begins with the first of them while the others are read. */
const CHUNK = 32;
/** Calls that nobody waits for with a connection open. Alone they wait this long for company before they cost an fsync. */
const PATIENT_CALLS: ReadonlySet<OperationName> = new Set(['settle', 'renew', 'touchKeys']);
const PATIENCE_MS = 10;

/** Enough for a batch, which is all that the thread ever holds; by default V8 would let it take as much as the service. */
const WORKER_YOUNG_MB = 8;

/** Opens (and makes, if need be) the embedded store of a folder. Rejects when it cannot be opened, saying why. */
export async function openSqliteStore(options: WorkerOptions): Promise<Store> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
  });
  await once(worker, 'message');
  return new SqliteStore(worker);
}

/**
 * Hands calls to the store's thread, those of one turn of the event loop together. Batches are formed over there
 * (worker.ts): it takes up whatever has come while it committed, and never waits for this loop to notice that it is done.
 */
class SqliteStore implements Store {
  /** One process serves from a folder, so that its carriers' rates are its own. */
  readonly budget = undefined;
  readonly #worker: Worker;
  #waiting: PendingCall[] = [];
  /** Handed over; answered in this order. */
  #posted: PendingCall[] = [];
  #flushScheduled = false;
  #patience: NodeJS.Timeout | undefined;
  #ended: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (results: string) => this.#answer(JSON.parse(results)));
    worker.on('error', (error: Error) => {
      this.#end(error);
      // The thread answers every failure of an operation; its own end is a bug, and must not pass for an outage.
      queueMicrotask(() => {
        throw error;
      });
    });
    worker.on('exit', () => this.#end(new StoreUnavailable('the store is closed')));
  }

  get pending(): number {
    return this.#waiting.length + this.#posted.length;
  }

  issue = (verification: NewVerification) => this.#call('issue', verification);
  confirm = (guess: Guess) => this.#call('confirm', guess);

  claim = (now: number, leaseUntil: number, limit: number) => this.#call('claim', now, leaseUntil, limit);
  renew = async (held: readonly { readonly id: string; readonly fence: number }[], leaseUntil: number) =>
    new Set(await this.#call('renew', held, leaseUntil));
  settle = (settlement: Settlement) => this.#call('settle', settlement);
  receive = (receipt: ReceiptRecord) => this.#call('receive', receipt);
  depth = () => this.#call('depth');

  createKey = (accountName: string, key: NewApiKey) => this.#call('createKey', accountName, key);
  listKeys = () => this.#call('listKeys');
  findKey = (hash: string) => this.#call('findKey', hash);
  revokeKey = (idOrPrefix: string, now: number) => this.#call('revokeKey', idOrPrefix, now);
  touchKeys = (lastUsed: ReadonlyMap<string, number>) => this.#call('touchKeys', [...lastUsed]);
  keysRevision = () => this.#call('keysRevision');

  list = (accountId: string, destinationHashes: readonly string[] | null, limit: number) =>
    this.#call('list', accountId, destinationHashes, limit);

  /** Other processes notice any commit of ours by themselves, so that there is nothing to announce. */
  transact = (steps: readonly Step[]) => this.#call('transact', steps);

  check = () => this.#call('check');
  purge = (now: number) => this.#call('purge', now);

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#ended !== undefined) return;
    // Calls are answered in order: after the answer to this one nothing is under way.
    const last = this.#call('depth');
    this.#ended = new StoreUnavailable('the store is closed');
    await last.catch(() => undefined);
    const exit = once(this.#worker, 'exit');
    this.#worker.postMessage(CLOSE);
    await exit;
  }

  #call<Name extends OperationName>(
    name: Name,
    ...args: Parameters<Operations[Name]>
  ): Promise<ReturnType<Operations[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting.push({ name, args, resolve: resolve as (value: never) => void, reject });
      if (this.#waiting.length >= CHUNK) this.#flush();
      else if (PATIENT_CALLS.has(name)) this.#patience ??= setTimeout(() => this.#flush(), PATIENCE_MS);
      else this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    // After the I/O of this turn of the event loop: requests that came in together leave together.
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#flushScheduled = false;
    if (this.#waiting.length === 0) return;
    this.#worker.postMessage(JSON.stringify(this.#waiting.map(({ name, args }) => ({ name, args }))));
    this.#posted.push(...this.#waiting);
    this.#waiting = [];
  }

  #answer(results: readonly Result[]): void {
    for (const [i, { resolve, reject }] of this.#posted.splice(0, results.length).entries()) {
      const result = results[i];
      if (result === undefined) reject(new Error('the store left a call unanswered'));
      else if (!('failure' in result)) resolve(result.value as never);
      else reject(result.unavailable ? new StoreUnavailable(result.failure) : new Error(result.failure));
    }
  }

  #end(error: Error): void {
    this.#ended ??= new StoreUnavailable(error.message, { cause: error });
    for (const { reject } of [...this.#posted, ...this.#waiting]) reject(this.#ended);
    this.#posted = [];
    this.#waiting = [];
  }
}
